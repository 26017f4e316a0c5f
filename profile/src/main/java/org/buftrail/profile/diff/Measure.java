package org.buftrail.profile.diff;

import java.util.Arrays;
import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;

/**
 * What one kind of profile measures, before and after, by stack.
 *
 * <p>The values of the base are kept as they were measured; a sum is scaled as a whole, so that the
 * rounding of its parts does not add up. Belongs to one thread.
 */
public final class Measure {
  /** A figure of one moment does not grow with the work done before. */
  private static final List<String> GAUGES = List.of("live_", "inuse_");

  /** Differences of so many sampling errors are not there by chance. */
  private static final double CERTAIN = 4;

  private final String kind;
  private final String type;
  private final String unit;
  private final boolean flows;
  private final Ends ends;
  private final Slices baseSlices = new Slices();
  private final Slices nowSlices = new Slices();
  private int nodes;
  private long[] base = {};
  private long[] now = {};
  private double[] baseVariance = {};
  private double[] nowVariance = {};
  private double factor = 1;
  private ProfileDiff.Scale scale = ProfileDiff.Scale.NONE;
  private boolean inBase;
  private boolean inNew;

  Measure(String kind, Profile first, Ends ends) {
    this.kind = kind;
    this.type = first.sampleType().type();
    this.unit = first.sampleType().unit();
    this.flows = SamplingError.isOfFlows(first);
    this.ends = ends;
  }

  static boolean isGauge(ValueType type) {
    return GAUGES.stream().anyMatch(type.type()::startsWith);
  }

  void add(boolean toBase, int node, long value, double variance) {
    int row = ends.number(node);
    if (row >= base.length) {
      int length = Math.max(16, row + 1 + row / 2);
      base = Arrays.copyOf(base, length);
      now = Arrays.copyOf(now, length);
      baseVariance = Arrays.copyOf(baseVariance, length);
      nowVariance = Arrays.copyOf(nowVariance, length);
    }
    long[] values = toBase ? base : now;
    values[row] = Samples.plus(values[row], value);
    (toBase ? baseVariance : nowVariance)[row] += variance;
  }

  /** Takes note that a side measures it. */
  void isIn(boolean toBase) {
    inBase |= toBase;
    inNew |= !toBase;
  }

  /** The values of a side by time. */
  Slices slices(boolean ofBase) {
    return ofBase ? baseSlices : nowSlices;
  }

  /** Whether the base measures it, be it 0. */
  public boolean isInBase() {
    return inBase;
  }

  /** Whether the new side measures it, be it 0. */
  public boolean isInNew() {
    return inNew;
  }

  /** Whether it counts flows of buffers. */
  public boolean isOfFlows() {
    return flows;
  }

  /** Whether it says what was there at one moment, such as {@code live_space}. */
  public boolean isGauge() {
    return isGauge(ValueType.of(type, unit));
  }

  /** Multiplies the base, so that both sides speak of the same amount of work. */
  void scale(ProfileDiff.Scale by, double with) {
    scale = by;
    factor = with;
  }

  /** Takes note of how many nodes there are in all. */
  void close(int nodes) {
    this.nodes = nodes;
  }

  /** The kind of profile, such as {@code cpu}; may be empty. */
  public String kind() {
    return kind;
  }

  /** The name, such as {@code leaked_space}. */
  public String type() {
    return type;
  }

  /** In which unit. */
  public String unit() {
    return unit;
  }

  /** The factor by which the values of the base are multiplied; 1 if they are as measured. */
  public double factor() {
    return factor;
  }

  /** By what the base is scaled: never {@link ProfileDiff.Scale#AUTO}. */
  public ProfileDiff.Scale scale() {
    return scale;
  }

  /** The values of the base, as measured, by node of the trie: each node's own. */
  public long[] base() {
    return ends.byNode(base, nodes);
  }

  /** The values of the new side by node of the trie: each node's own, without its callees. */
  public long[] now() {
    return ends.byNode(now, nodes);
  }

  /** The variances of {@link #base} and {@link #now}, scaled and added up. */
  public double[] variances() {
    double[] all = new double[nodes];
    for (int node = 0; node < nodes; node++) {
      all[node] = variance(node);
    }
    return all;
  }

  private double variance(int node) {
    return factor * factor * ends.at(baseVariance, node) + ends.at(nowVariance, node);
  }

  /** The value of the base at one node, as measured. */
  public long measuredBaseAt(int node) {
    return ends.at(base, node);
  }

  /** The value of the base at one node, scaled. */
  public long baseAt(int node) {
    return Math.round(ends.at(base, node) * factor);
  }

  /** The new value at one node. */
  public long nowAt(int node) {
    return ends.at(now, node);
  }

  /** The sum of the base, as measured. */
  public long measuredBaseTotal() {
    return Arrays.stream(base).reduce(0, Samples::plus);
  }

  /** The sum of the base, scaled. */
  public long baseTotal() {
    return Math.round(measuredBaseTotal() * factor);
  }

  /** The sum of the new side. */
  public long nowTotal() {
    return Arrays.stream(now).reduce(0, Samples::plus);
  }

  /** Whether the values at a node differ by no more than one sampling error. */
  public boolean isWithinError(int node) {
    double difference = ends.at(now, node) - ends.at(base, node) * factor;
    return difference * difference <= variance(node);
  }

  /** One sampling error of the difference of the sums; 0 where both are exact. */
  public double error() {
    double before = Math.max(Arrays.stream(baseVariance).sum(), baseSlices.variance());
    double after = Math.max(Arrays.stream(nowVariance).sum(), nowSlices.variance());
    return Math.sqrt(factor * factor * before + after);
  }

  /** Whether the sums differ by more than chance explains: four sampling errors. */
  public boolean isCertain() {
    return Math.abs(nowTotal() - measuredBaseTotal() * factor) > CERTAIN * error();
  }

  /**
   * How much the sum grew, in hundredths of the base; negative where it shrank, infinite where
   * there was nothing before.
   */
  public double growthPercent() {
    double before = baseTotal();
    double after = nowTotal();
    if (before == after) {
      return 0;
    }
    return before == 0 ? Double.POSITIVE_INFINITY : 100 * (after - before) / before;
  }
}
