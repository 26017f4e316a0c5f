package org.buftrail.profile;

/** A method's part of a profile's values. Immutable. */
public final class MethodCost {
  private final String name;
  private final long self;
  private final long total;

  MethodCost(String name, long self, long total) {
    this.name = name;
    this.self = self;
    this.total = total;
  }

  /** The name, as of {@link Frame#name}; {@code [no stack]} for samples without frames. */
  public String name() {
    return name;
  }

  /** The sum of the samples whose innermost frame it is. */
  public long self() {
    return self;
  }

  /** The sum of the samples that it is in, each once. */
  public long total() {
    return total;
  }

  /** The values, own and total, and the name. */
  @Override
  public String toString() {
    return self + " " + total + " " + name;
  }
}
