package org.buftrail.benchmarks.run;

import java.util.List;

/** Median, least, greatest and quartiles of some values; all NaN when there is none. */
record Spread(double median, double least, double greatest, double lower, double upper) {
  static final Spread NONE = of(List.of());

  static Spread of(List<Double> values) {
    double[] sorted =
        values.stream().filter(v -> !v.isNaN()).mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      return new Spread(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    int last = sorted.length - 1;
    return new Spread(median, sorted[0], sorted[last], sorted[last / 4], sorted[last - last / 4]);
  }

  boolean isKnown() {
    return !Double.isNaN(median);
  }
}
