package org.buftrail.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

final class PathRatesTest {
  private final PathRates rates = new PathRates();

  private PathRates.Row after(long millis, long released, long leaked) {
    Path.Hop hop = new Path.Hop(new Site("app.A", "read", "", 7, ""), "1-2", false, false);
    Path path =
        new Path(
            List.of(hop),
            true,
            new Path.Flows(released, 0),
            new Path.Flows(leaked, 0),
            Path.Flows.NONE,
            Path.NO_AGE,
            Path.NO_AGE);
    rates.update(
        new Snapshot(
            millis, 1, released + leaked, 0, TrackerStatus.FINE, List.of(path), List.of()));
    return rates.rows(PathRates.Order.RATE).get(0);
  }

  private static Path path(Site site, long released) {
    List<Path.Hop> hops = List.of(new Path.Hop(site, "1-2", false, false));
    Path.Flows none = Path.Flows.NONE;
    return new Path(hops, true, new Path.Flows(released, 0), none, none, Path.NO_AGE, Path.NO_AGE);
  }

  /** As a file of an older agent has them, and as overloads on one line read. */
  @Test
  void rowsThatReadTheSameAreOneAndHaveNoRateWhenNothingHappens() {
    Site one = new Site("app.A", "read", "(I)V", 7, "");
    Site other = new Site("app.A", "read", "(J)V", 7, "");
    List<Path> paths = List.of(path(one, 99_991), path(other, 11));
    for (long millis = 5_000; millis <= 7_000; millis += 2_000) {
      rates.update(new Snapshot(millis, 1, 100_002, 0, TrackerStatus.FINE, paths, List.of()));
    }
    assertThat(rates.rows(PathRates.Order.RATE))
        .singleElement()
        .satisfies(row -> assertThat(row.path().flows()).isEqualTo(100_002))
        .extracting("rate", "leakRate")
        .containsExactly(0.0, 0.0);
  }

  @Test
  void ratesAreOfWhatCameSinceTheSnapshotBefore() {
    assertThat(after(5_000, 100, 10)).extracting("rate", "leakRate").containsExactly(-1.0, -1.0);
    assertThat(after(7_000, 120, 14)).extracting("rate", "leakRate").containsExactly(12.0, 2.0);
    assertThat(after(7_500, 120, 14)).extracting("rate", "leakRate").containsExactly(0.0, 0.0);
    // Counted from 0 again, and at a time that has been.
    assertThat(after(8_000, 3, 0)).extracting("rate", "leakRate").containsExactly(0.0, 0.0);
    assertThat(after(8_000, 9, 1)).extracting("rate", "leakRate").containsExactly(-1.0, -1.0);
  }
}
