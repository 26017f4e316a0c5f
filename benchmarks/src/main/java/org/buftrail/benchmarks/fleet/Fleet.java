package org.buftrail.benchmarks.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/**
 * {@code bench fleet DIR}: recordings of twenty services, fifty of each, ten minutes long, one
 * after the other. Every method takes about the same share of its service's time all day; one
 * method of one service takes more from one hour on.
 */
public final class Fleet {
  public static final String MODE = "fleet";

  /** Which service, method and hour. */
  public static final String SLOWER = "checkout";

  public static final String METHOD = "com.example.checkout.Service.roundPrices";
  public static final Instant SINCE = Instant.parse("2026-11-20T13:00:00Z");

  static final int RECORDINGS = 50;
  private static final Instant BEGIN = Instant.parse("2026-11-20T08:00:00Z");
  private static final int MINUTES = 10;
  private static final int HOSTS = 5;
  private static final int SAMPLES = 30;
  private static final int TIMES = 3;
  private static final List<String> SERVICES =
      List.of(
          "account",
          "basket",
          "catalog",
          "checkout",
          "currency",
          "delivery",
          "discount",
          "fraud",
          "gateway",
          "invoice",
          "ledger",
          "mail",
          "orders",
          "payment",
          "pricing",
          "rating",
          "search",
          "stock",
          "tax",
          "wishlist");
  private static final List<String> METHODS =
      List.of(
          "parse",
          "validate",
          "lookUp",
          "roundPrices",
          "encode",
          "render",
          "hash",
          "compress",
          "authorize",
          "sort",
          "merge",
          "log");

  private Fleet() {}

  /**
   * Writes the recordings: a directory for each service, files named by their time.
   *
   * @return how many there are
   */
  public static int write(Path directory) throws IOException {
    Random random = new Random(29);
    int written = 0;
    for (String service : SERVICES) {
      Path below = Files.createDirectories(directory.resolve(service));
      for (int i = 0; i < RECORDINGS; i++) {
        Instant start = BEGIN.plus(Duration.ofMinutes((long) MINUTES * i));
        String time = start.toString().substring(0, "2026-11-20T08:00".length()).replace(':', '-');
        byte[] recording =
            FleetRecording.of(
                service,
                service + "-" + (1 + i % HOSTS),
                1000L + i,
                start,
                MINUTES,
                METHODS,
                samples(service, start, random));
        Files.write(below.resolve(time + ".jfr"), recording);
        written++;
      }
    }
    return written;
  }

  /** How many samples each method has: as many as always, more or less. */
  private static int[] samples(String service, Instant start, Random random) {
    int[] samples = new int[METHODS.size()];
    for (int method = 0; method < samples.length; method++) {
      int usual = SAMPLES + 10 * (method % 4);
      samples[method] = usual - 5 + random.nextInt(11);
      boolean isSlower =
          service.equals(SLOWER)
              && METHOD.endsWith("." + METHODS.get(method))
              && !start.isBefore(SINCE);
      samples[method] *= isSlower ? TIMES : 1;
    }
    return samples;
  }
}
