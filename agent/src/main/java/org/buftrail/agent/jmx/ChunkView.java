package org.buftrail.agent.jmx;

import org.buftrail.model.PoolMemory;

/** A chunk in which live buffers lie, as JMX carries it. Immutable. */
public final class ChunkView {
  private final PoolMemory memory;
  private final PoolMemory.Chunk chunk;

  ChunkView(PoolMemory memory, PoolMemory.Chunk chunk) {
    this.memory = memory;
    this.chunk = chunk;
  }

  /** The simple class name of its allocator. */
  public String getAllocator() {
    return memory.pools().get(chunk.pool()).allocator();
  }

  /** Whether the memory is outside the heap. */
  public boolean isDirect() {
    return memory.pools().get(chunk.pool()).isDirect();
  }

  public long getBytes() {
    return chunk.size();
  }

  /** Live buffers that are followed. */
  public long getBufferCount() {
    return chunk.buffers().count();
  }

  /** What they take of it. */
  public long getTakenBytes() {
    return chunk.buffers().bytes();
  }

  /** What the next allocation may take. */
  public long getFreeBytes() {
    return chunk.free();
  }

  /**
   * The rest: in caches of threads, rounded up, free within pages in use, or of buffers that are
   * not followed.
   */
  public long getOtherBytes() {
    return chunk.other();
  }

  /** Where its buffers are; empty where they are at several places. */
  public String getHolder() {
    return chunk.holder() == PoolMemory.Chunk.SHARED
        ? ""
        : new HolderView(memory.holders().get(chunk.holder())).getLastHop();
  }
}
