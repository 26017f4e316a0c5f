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

  /** The bytes of chunks in which live buffers lie that are followed. */
  public long getHeldBytes() {
    return pool.held();
  }

  /** The part of the held bytes that the live buffers take. */
  public long getTakenBytes() {
    return pool.taken();
  }

  /** The part of the held bytes that the next allocation may take. */
  public long getFreeBytes() {
    return pool.free();
  }

  /** The part of the held bytes that is neither. */
  public long getOtherBytes() {
    return pool.other();
  }

  /** The bytes of chunks without such buffers. */
  public long getIdleBytes() {
    return pool.idle();
  }

  /** The bytes of chunks that were not found. */
  public long getNotLocatedBytes() {
    return pool.notLocated();
  }
}
