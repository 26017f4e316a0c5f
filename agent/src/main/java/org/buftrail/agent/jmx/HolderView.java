package org.buftrail.agent.jmx;

import org.buftrail.model.PoolMemory;

/** A path whose live buffers hold memory of an allocator, as JMX carries it. Immutable. */
public final class HolderView {
  private final PoolMemory.Holder holder;

  HolderView(PoolMemory.Holder holder) {
    this.holder = holder;
  }

  /** Where the buffers are. */
  public String getLastHop() {
    return holder.hops().get(holder.hops().size() - 1).site().toString();
  }

  /** Whether the memory is outside the heap. */
  public boolean isDirect() {
    return holder.isDirect();
  }

  /** Live buffers that are followed. */
  public long getBufferCount() {
    return holder.buffers().count();
  }

  /** Their capacities. */
  public long getBufferBytes() {
    return holder.buffers().bytes();
  }

  /** The chunks in which they lie. */
  public long getChunkCount() {
    return holder.chunks();
  }

  /** Bytes of these chunks, and of memory of their own. */
  public long getHeldBytes() {
    return holder.held();
  }

  /** The part of these in which nothing else lies. */
  public long getAloneBytes() {
    return holder.alone();
  }

  /** The part of that which the allocator certainly gives back on their release. */
  public long getReturnedBytes() {
    return holder.returned();
  }
}
