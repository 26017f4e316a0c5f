package org.buftrail.profile.diff;

import java.util.Arrays;
import org.buftrail.profile.Samples;

/** What one kind of profile measures, before and after, by stack. Belongs to one thread. */
public final class Measure {
  private final String kind;
  private final String type;
  private final String unit;
  private final Ends ends;
  private int nodes;
  private long[] base = {};
  private long[] now = {};
  private double factor = 1;
  private boolean inBase;
  private boolean inNew;

  Measure(String kind, String type, String unit, Ends ends) {
    this.kind = kind;
    this.type = type;
    this.unit = unit;
    this.ends = ends;
  }

  void add(boolean toBase, int node, long value) {
    int row = ends.number(node);
    if (row >= base.length) {
      int length = Math.max(16, row + 1 + row / 2);
      base = Arrays.copyOf(base, length);
      now = Arrays.copyOf(now, length);
    }
    long[] values = toBase ? base : now;
    values[row] = Samples.plus(values[row], value);
  }

  /** Takes note that a side measures it. */
  void isIn(boolean base) {
    inBase |= base;
    inNew |= !base;
  }

  /** Whether the base measures it, be it 0. */
  public boolean isInBase() {
    return inBase;
  }

  /** Whether the new side measures it, be it 0. */
  public boolean isInNew() {
    return inNew;
  }

  /** Multiplies the base, so that both sides speak of the same amount of work. */
  void scale(double by) {
    factor = by;
    for (int i = 0; i < base.length; i++) {
      base[i] = Math.round(base[i] * by);
    }
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

  /** What the values of the base were multiplied with; 1 if they are as they were. */
  public double factor() {
    return factor;
  }

  /** The values of the base, scaled, by node of the trie: each node's own, without its callees. */
  public long[] base() {
    return ends.byNode(base, nodes);
  }

  /** The values of the new side by node of the trie: each node's own, without its callees. */
  public long[] now() {
    return ends.byNode(now, nodes);
  }

  /** The value of the base at one node, scaled. */
  public long baseAt(int node) {
    return ends.at(base, node);
  }

  /** The new value at one node. */
  public long nowAt(int node) {
    return ends.at(now, node);
  }

  /** The sum of the base, scaled. */
  public long baseTotal() {
    return Arrays.stream(base).reduce(0, Samples::plus);
  }

  /** The sum of the new side. */
  public long nowTotal() {
    return Arrays.stream(now).reduce(0, Samples::plus);
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
