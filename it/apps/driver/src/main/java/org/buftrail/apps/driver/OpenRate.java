package org.buftrail.apps.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * Makes calls at a fixed rate, each due at a time that does not depend on the answers before it,
 * and measures each from then on. A call that had to wait for a late one counts its wait.
 */
public final class OpenRate {
  private static final int CONNECTIONS = 16;

  /** A connection of one thread. */
  public interface Connection extends AutoCloseable {
    /** One request and its whole answer. */
    void call(int i) throws Exception;

    @Override
    default void close() throws IOException {
      // Shared by all threads.
    }
  }

  /** Opens a connection to a server on this host. */
  public interface Service {
    Connection connect(int port) throws Exception;
  }

  private OpenRate() {}

  /**
   * Reads lines {@code PORT RATE SECONDS} from standard input, with the rate in calls a second, and
   * answers each with a line on standard output: the number of calls, and their 50th, 99th and
   * 99.9th percentile in microseconds. Returns when standard input ends.
   */
  public static void serve(Service service) throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      System.out.println(
          run(
              threads,
              service,
              Integer.parseInt(words[0]),
              Double.parseDouble(words[1]),
              Double.parseDouble(words[2])));
    }
    threads.shutdown();
  }

  private static String run(
      ExecutorService threads, Service service, int port, double rate, double seconds)
      throws Exception {
    List<Connection> connections = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      connections.add(service.connect(port));
    }
    long between = (long) (TimeUnit.SECONDS.toNanos(1) / rate);
    long start = System.nanoTime();
    long end = start + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    List<Callable<long[]>> tasks = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      int first = i;
      tasks.add(() -> calls(connections.get(first), first, start, between, end));
    }
    List<long[]> latencies = new ArrayList<>();
    for (Future<long[]> done : threads.invokeAll(tasks)) {
      latencies.add(done.get());
    }
    for (Connection connection : connections) {
      connection.close();
    }
    long[] sorted = latencies.stream().flatMapToLong(LongStream::of).sorted().toArray();
    return sorted.length
        + " "
        + micros(sorted, 0.5)
        + " "
        + micros(sorted, 0.99)
        + " "
        + micros(sorted, 0.999);
  }

  private static long[] calls(Connection connection, int first, long start, long between, long end)
      throws Exception {
    long[] latencies = new long[1024];
    int count = 0;
    for (int i = first; ; i += CONNECTIONS) {
      long due = start + i * between;
      if (due >= end || System.nanoTime() >= end) {
        return Arrays.copyOf(latencies, count);
      }
      for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
      connection.call(i);
      if (count == latencies.length) {
        latencies = Arrays.copyOf(latencies, count * 2);
      }
      latencies[count++] = System.nanoTime() - due;
    }
  }

  private static long micros(long[] sorted, double share) {
    int at = Math.min(sorted.length - 1, (int) (sorted.length * share));
    return at < 0 ? 0 : TimeUnit.NANOSECONDS.toMicros(sorted[at]);
  }

  /** Calls a service of HTTP: {@code OpenRate METHOD PATH LENGTH ...}. */
  public static void main(String[] args) throws Exception {
    List<byte[]> requests = new ArrayList<>();
    for (int i = 0; i < args.length; i += 3) {
      requests.add(KeptConnection.request(args[i], args[i + 1], Integer.parseInt(args[i + 2])));
    }
    serve(port -> new KeptConnection(port, requests));
  }
}
