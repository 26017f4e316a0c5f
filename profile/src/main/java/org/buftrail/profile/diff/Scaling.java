package org.buftrail.profile.diff;

import java.util.List;

/** Scales the base of each measure to the work that the new side did. Belongs to one thread. */
final class Scaling {
  /** Types of which the total says how much was allocated, the best first. */
  private static final List<String> ALLOCATIONS =
      List.of("allocated_space", "alloc_space", "allocated_objects", "alloc_objects");

  private final Side base;
  private final Side now;
  private final List<Measure> measures;

  /** The ratio of allocated flows, and of what else was allocated; 0 where a side knows none. */
  private final double flows;

  private final double objects;

  Scaling(Side base, Side now, List<Measure> measures) {
    this.base = base;
    this.now = now;
    this.measures = measures;
    this.flows = flows();
    this.objects = objects();
  }

  /**
   * Says by what each measure is scaled.
   *
   * @throws IllegalArgumentException when there is nothing to scale by
   */
  void apply(ProfileDiff.Scale wanted) {
    boolean timed = base.durationNanos() > 0 && now.durationNanos() > 0;
    if (wanted == ProfileDiff.Scale.DURATION && !timed) {
      throw new IllegalArgumentException("no duration on both sides to normalize by");
    }
    if (wanted == ProfileDiff.Scale.ALLOCATIONS && flows == 0 && objects == 0) {
      throw new IllegalArgumentException("no allocations on both sides to normalize by");
    }
    double times = timed ? (double) now.durationNanos() / base.durationNanos() : 0;
    for (Measure measure : measures) {
      double allocations = measure.isOfFlows() ? flows : objects;
      boolean byAllocations =
          wanted == ProfileDiff.Scale.ALLOCATIONS
              || (wanted == ProfileDiff.Scale.AUTO && measure.isOfFlows());
      boolean byTime = wanted == ProfileDiff.Scale.DURATION || wanted == ProfileDiff.Scale.AUTO;
      if (measure.isGauge()) {
        continue;
      }
      if (byAllocations && allocations > 0) {
        measure.scale(ProfileDiff.Scale.ALLOCATIONS, allocations);
      } else if (byTime && timed) {
        measure.scale(ProfileDiff.Scale.DURATION, times);
      }
    }
  }

  private double flows() {
    for (Measure measure : measures) {
      if (measure.isOfFlows() && measure.type().equals("allocated_objects")) {
        return ratio(measure.measuredBaseTotal(), measure.nowTotal());
      }
    }
    return ratio(base.allocatedFlows(), now.allocatedFlows());
  }

  private double objects() {
    for (String type : ALLOCATIONS) {
      for (Measure measure : measures) {
        double ratio = ratio(measure.measuredBaseTotal(), measure.nowTotal());
        if (!measure.isOfFlows() && measure.type().equals(type) && ratio > 0) {
          return ratio;
        }
      }
    }
    return 0;
  }

  private static double ratio(long before, long after) {
    return before > 0 && after > 0 ? (double) after / before : 0;
  }
}
