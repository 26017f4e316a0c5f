package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What services of the usual shape pay at a fixed rate of requests, with the arms in turn: {@code
 * -Drates=REQUESTS_A_SECOND}, and {@code -Drates.services=} for some of them. It asserts that all
 * were answered; what they cost is read in the table, and means something only on a machine where
 * nothing else runs.
 */
@EnabledIfSystemProperty(named = "rates", matches = "\\d+")
final class RatesIT {
  private static final double WARM_SECONDS = Double.parseDouble(property("rates.warm", "20"));
  private static final double SECONDS = Double.parseDouble(property("rates.seconds", "4"));
  private static final int ROUNDS = Integer.parseInt(property("rates.rounds", "7"));

  /** More than any service answers, so that as many are made as it can. */
  private static final double FLAT_OUT = 1_000_000;

  private final double rate = Double.parseDouble(property("rates", "4000"));

  /** A regular expression for their names. */
  private final String services = property("rates.services", ".*");

  @TempDir private Path directory;

  private static String property(String name, String usual) {
    String value = System.getProperty(name, "");
    return value.isEmpty() ? usual : value;
  }

  @Test
  void servicesAtAFixedRate() throws Exception {
    RateTable table = new RateTable(rate, SECONDS, ROUNDS);
    List<Jvm> jvms = Jvm.all().toList();
    for (Jvm jvm : jvms) {
      for (RatedService service : RatedService.all()) {
        if (service.name().matches(services)) {
          measure(jvm, service, table);
        }
      }
    }
    table.write(RunningApplication.APPS.resolve("tests/target"));
  }

  /** A server, and where its figures go. */
  private record Measured(RateArm arm, RatedProcess server, RateTable.Row row) {}

  private void measure(Jvm jvm, RatedService service, RateTable table) throws Exception {
    List<Measured> all = new ArrayList<>();
    try (RatedProcess.Client client = new RatedProcess.Client(jvm, service)) {
      for (RateArm arm : RateArm.values()) {
        RatedProcess server = start(jvm, service, arm);
        all.add(new Measured(arm, server, table.row(jvm, service.name(), arm)));
        assertThat(server.call(client, FLAT_OUT, WARM_SECONDS).calls()).isPositive();
      }
      for (Measured one : all) {
        one.server().warm(client, rate, SECONDS);
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < all.size(); i++) {
          // Each round begins with another arm.
          measure(all.get((round + i) % all.size()), client);
        }
      }
      for (Measured one : all) {
        one.row().end(one.server().startMillis, one.server().residentMebibytes());
      }
    } finally {
      all.forEach(one -> one.server().close());
    }
  }

  private void measure(Measured one, RatedProcess.Client client) throws IOException {
    if (one.arm() == RateArm.PAGE) {
      one.server().lookAtPage();
    }
    RatedProcess.Window window = one.server().call(client, rate, SECONDS);
    // Those that are due when the time is over are not made.
    assertThat(window.calls()).isCloseTo((long) (rate * SECONDS), within((long) rate));
    one.row().add(window);
  }

  private RatedProcess start(Jvm jvm, RatedService service, RateArm arm)
      throws IOException, InterruptedException {
    Path own = Files.createTempDirectory(directory, arm.name());
    return new RatedProcess(own, jvm, arm, service);
  }
}
