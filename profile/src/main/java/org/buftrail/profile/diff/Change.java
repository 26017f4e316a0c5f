package org.buftrail.profile.diff;

/** A stack whose value is not what it was. Immutable; the largest difference sorts first. */
public final class Change implements Comparable<Change> {
  private final int node;
  private final long measured;
  private final long base;
  private final long now;

  Change(int node, long measured, long base, long now) {
    this.node = node;
    this.measured = measured;
    this.base = base;
    this.now = now;
  }

  /** What became of a stack. */
  public enum Kind {
    /** It was not there before. */
    NEW,
    /** It is not there any more. */
    GONE,
    /** There is more of it. */
    GREW,
    /** There is less of it. */
    SHRANK
  }

  /** The node of the trie. */
  public int node() {
    return node;
  }

  /** The value before, as measured. */
  public long measuredBase() {
    return measured;
  }

  /** The value before, scaled. */
  public long base() {
    return base;
  }

  /** The value now. */
  public long now() {
    return now;
  }

  /** How much more it is; negative if less. */
  public long difference() {
    return now - base;
  }

  /** What became of it. */
  public Kind kind() {
    if (measured == 0) {
      return Kind.NEW;
    }
    if (now == 0) {
      return Kind.GONE;
    }
    return now > base ? Kind.GREW : Kind.SHRANK;
  }

  @Override
  public int compareTo(Change other) {
    int order = Long.compare(Math.abs(other.difference()), Math.abs(difference()));
    return order != 0 ? order : Integer.compare(node, other.node);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Change
        && node == ((Change) o).node
        && measured == ((Change) o).measured
        && base == ((Change) o).base
        && now == ((Change) o).now;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(base * 31 + now) * 31 + node;
  }
}
