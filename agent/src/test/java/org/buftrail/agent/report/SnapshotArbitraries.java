package org.buftrail.agent.report;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.buftrail.flow.Path;
import org.buftrail.flow.Site;
import org.buftrail.flow.Snapshot;
import org.buftrail.flow.TrackerStatus;

/** Snapshots of any shape, with names of any characters. */
final class SnapshotArbitraries {
  private SnapshotArbitraries() {}

  static Arbitrary<Snapshot> snapshots() {
    Arbitrary<Integer> small = Arbitraries.integers().between(0, 1 << 20);
    return Combinators.combine(
            Arbitraries.longs().between(1, 4_102_444_800_000L),
            Arbitraries.integers().between(1, Integer.MAX_VALUE),
            small,
            small,
            small,
            paths().list().ofMaxSize(6))
        .as(
            (takenAt, sampling, allocated, overflowed, errors, paths) ->
                new Snapshot(
                    takenAt,
                    sampling,
                    allocated,
                    overflowed,
                    new TrackerStatus.Builder().suppressedErrors(errors).build(),
                    paths,
                    List.of()));
  }

  private static Arbitrary<Path> paths() {
    Arbitrary<Path.Flows> flows =
        Combinators.combine(
                Arbitraries.longs().between(0, 1L << 40), Arbitraries.longs().between(0, 1L << 50))
            .as(Path.Flows::new);
    Arbitrary<Long> age = Arbitraries.longs().between(Path.NO_AGE, 1L << 40);
    Arbitrary<Long> time = Arbitraries.longs().between(Path.NEVER, 4_102_444_800_000L);
    Arbitrary<Path> paths =
        Combinators.combine(
                hops().list().ofMinSize(1).ofMaxSize(5),
                Arbitraries.of(true, false),
                flows,
                flows,
                flows,
                Combinators.combine(age, age).as((oldest, median) -> new long[] {oldest, median}),
                Combinators.combine(time, time).as((first, last) -> new long[] {first, last}))
            .as(
                (hops, direct, released, leaked, live, ages, times) ->
                    new Path(
                        hops, direct, released, leaked, live, ages[0], ages[1], times[0],
                        times[1]));
    return Combinators.combine(paths, flows, flows)
        .as((path, dropped, held) -> path.with(dropped, held.count()));
  }

  private static Arbitrary<Path.Hop> hops() {
    Arbitrary<String> name = Arbitraries.strings().ofMaxLength(8);
    Arbitrary<Site> site =
        Combinators.combine(
                name,
                name,
                Arbitraries.integers().between(0, 70_000),
                Arbitraries.of("", "_return"))
            .as((type, method, line, suffix) -> new Site(type, method, "(I)V", line, suffix));
    return Combinators.combine(
            site,
            Arbitraries.of(List.of("0", "1-2", "3-5", "6+")),
            Arbitraries.of(true, false),
            Arbitraries.of(true, false))
        .as(Path.Hop::new);
  }
}
