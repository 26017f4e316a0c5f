package org.buftrail.report.memory;

/** Addresses that have one owner. Immutable. */
final class Range {
  final Owner owner;

  /** The first address. */
  final long start;

  /** The address after the last. */
  final long end;

  Range(Owner owner, long start, long end) {
    this.owner = owner;
    this.start = start;
    this.end = end;
  }

  @Override
  public String toString() {
    return owner + " " + Long.toHexString(start) + '-' + Long.toHexString(end);
  }
}
