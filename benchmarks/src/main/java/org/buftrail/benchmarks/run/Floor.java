package org.buftrail.benchmarks.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the tracker promises about one benchmark.
 *
 * @param benchmark its name
 * @param arm the arm that is held to it
 * @param against the arm it is divided by
 * @param ratio at most so many times {@code against}
 * @param bytes at most so many bytes more for each operation; NaN for no promise
 * @param tail whether the ratio is of 99th percentiles
 */
record Floor(String benchmark, Arm arm, Arm against, double ratio, double bytes, boolean tail) {
  /** Counted bytes differ by what JMH itself allocates, divided by the operations. */
  private static final double BYTES_NOISE = 0.5;

  private static final double NO_PROMISE = Double.NaN;

  static final List<Floor> ALL = floors();

  /** A floor with what was measured. */
  record Verdict(Floor floor, Spread ratio, double bytes) {
    boolean isMet() {
      return ratio.median() <= floor.ratio && !(bytes > floor.bytes + BYTES_NOISE);
    }
  }

  private static List<Floor> floors() {
    List<Floor> all = new ArrayList<>();
    all.add(new Floor("simpleAllocateAndRelease", Arm.ALL, Arm.NONE, 1.7, 8, false));
    all.add(new Floor("allocatePassToMethodAndRelease", Arm.ALL, Arm.NONE, 1.9, 8, false));
    all.add(new Floor("allocatePassThroughChainAndRelease", Arm.ALL, Arm.NONE, 2.2, 8, false));
    for (String pool : List.of("pooled", "adaptive")) {
      all.add(new Floor(pool + "Direct", Arm.ALL, Arm.NONE, 1.3, 8, false));
      all.add(new Floor(pool + "Direct", Arm.ALL, Arm.SIMPLE, 1.05, NO_PROMISE, false));
      all.add(
          new Floor(pool + "DirectThroughChain", Arm.ALL, Arm.PARANOID, 0.06, NO_PROMISE, false));
    }
    for (String heap :
        List.of(
            "simpleAllocateAndRelease", "highFrequencyHeapAllocations", "methodChainOverhead")) {
      all.add(new Floor(heap, Arm.DIRECT, Arm.NONE, 1.03, NO_PROMISE, false));
    }
    all.add(new Floor("pooledDirect", Arm.SAMPLED, Arm.NONE, 1.1, NO_PROMISE, false));
    all.add(new Floor("randomWalk", Arm.ALL, Arm.NONE, 4.0, NO_PROMISE, false));
    all.add(new Floor("httpRoundTrip", Arm.ALL, Arm.NONE, 1 / 0.98, NO_PROMISE, false));
    all.add(new Floor("httpRoundTrip", Arm.ALL, Arm.NONE, 1.05, NO_PROMISE, true));
    return List.copyOf(all);
  }

  /** The verdict, or null when one of the two arms was not run. */
  @Nullable Verdict judge(Map<Comparison.Key, Measurement> measurements) {
    Measurement held = measurements.get(new Comparison.Key(benchmark, arm));
    Measurement base = measurements.get(new Comparison.Key(benchmark, against));
    if (held == null || base == null) {
      return null;
    }
    Spread ratio = tail ? held.tailRatioTo(base) : held.ratioTo(base);
    return new Verdict(this, ratio, held.bytes().median() - base.bytes().median());
  }

  String text() {
    String bytesText = Double.isNaN(bytes) ? "" : ", +" + (int) bytes + " B/op";
    return String.format("%s%.3g x%s", tail ? "p99 " : "", ratio, bytesText);
  }
}
