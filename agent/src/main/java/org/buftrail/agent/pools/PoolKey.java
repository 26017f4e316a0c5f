package org.buftrail.agent.pools;

/** An allocator's memory of one kind. */
final class PoolKey {
  final Object allocator;
  final boolean direct;

  PoolKey(Object allocator, boolean direct) {
    this.allocator = allocator;
    this.direct = direct;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PoolKey
        && ((PoolKey) o).allocator == allocator
        && ((PoolKey) o).direct == direct;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(allocator) * 2 + (direct ? 1 : 0);
  }
}
