package org.buftrail.agent.jmx;

import org.buftrail.model.PoolMemory;

/** An allocator's memory of one kind, as JMX carries it. Immutable. */
public final class PoolView {
  private final PoolMemory.Pool pool;

  PoolView(PoolMemory.Pool pool) {
    this.pool = pool;
  }

  /** Its simple class name. */
  public String getAllocator() {
    return pool.allocator();
  }

  /** Whether the memory is outside the heap. */
  public boolean isDirect() {
    return pool.isDirect();
  }

  /** The bytes that the allocator says it keeps. */
  public long getBytes() {
    return pool.bytes();
  }

  /** Of these, in chunks with live buffers that are followed. */
  public long getHeldBytes() {
    return pool.held();
  }

  /** Of the held bytes, what the live buffers take. */
  public long getTakenBytes() {
    return pool.taken();
  }

  /** Of the held bytes, what the next allocation may take. */
  public long getFreeBytes() {
    return pool.free();
  }

  /** Of the held bytes, the rest. */
  public long getOtherBytes() {
    return pool.other();
  }

  /** In chunks without such buffers. */
  public long getIdleBytes() {
    return pool.idle();
  }

  /** In chunks that were not found. */
  public long getNotLocatedBytes() {
    return pool.notLocated();
  }
}
