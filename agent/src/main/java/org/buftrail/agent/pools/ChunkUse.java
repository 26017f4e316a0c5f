package org.buftrail.agent.pools;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The use of one chunk, collected while walking over the chunks. Confined to one thread. */
final class ChunkUse {
  final Object chunk;
  final PoolKey pool;
  final long size;

  /** Live buffers that are followed. */
  long buffers;

  /** Bytes that the live buffers take of the chunk. */
  long taken;

  /** Bytes that the next allocation may take. */
  long free;

  /** Whether something else lies in it too: in a thread's cache, or not followed. */
  boolean hasOthers;

  /** Whether it is given back once all that lies in it is released. */
  boolean isReturned;

  /** By the number of a run of pages, how many buffers lie there; null where there are no runs. */
  int @Nullable [] runs;

  /** Pages of the runs in which buffers lie. */
  int runPages;

  private @Nullable Holding first;
  private @Nullable Set<Holding> more;

  ChunkUse(Object chunk, PoolKey pool, long size) {
    this.chunk = chunk;
    this.pool = pool;
    this.size = size;
  }

  /**
   * Adds a path.
   *
   * @return whether it is new here
   */
  boolean add(Holding holding) {
    if (first == holding) {
      return false;
    }
    if (first == null) {
      first = holding;
      return true;
    }
    if (more == null) {
      more = new HashSet<>();
    }
    return more.add(holding);
  }

  /** The one path whose buffers lie in it, if nothing else does; else null. */
  @Nullable Holding sole() {
    return more == null && !hasOthers ? first : null;
  }
}
