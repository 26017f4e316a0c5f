package org.buftrail.agent.pools;

import java.util.HashMap;
import java.util.Map;

/**
 * The memory that the live buffers of one path hold. Compared by identity; confined to one thread.
 */
final class Holding {
  /** Index of one of its buffers. */
  final int example;

  long buffers;
  long bytes;
  long chunks;
  long held;
  long alone;

  /** Chunks that are given back with its buffers, but for what keepers may keep of them. */
  private long given;

  private long givenBytes;
  private long largestGiven;

  /** How many buffers each keeper may get. */
  private final Map<Object, Integer> kept = new HashMap<>();

  Holding(int example) {
    this.example = example;
  }

  /** Adds memory that belongs to one buffer alone. */
  void addOwn(long size) {
    held += size;
    alone += size;
    givenBytes += size;
  }

  /** A chunk in which nothing else lies. */
  void addAlone(ChunkUse use) {
    alone += use.size;
    if (use.isReturned) {
      given++;
      givenBytes += use.size;
      largestGiven = Math.max(largestGiven, use.size);
    }
  }

  void keep(Object keeper) {
    kept.merge(keeper, 1, Integer::sum);
  }

  Map<Object, Integer> kept() {
    return kept;
  }

  /**
   * The bytes that are certainly given back.
   *
   * @param stay buffers that keepers may keep, each in another chunk
   */
  long returned(long stay) {
    return Math.max(0, givenBytes - Math.min(stay, given) * largestGiven);
  }
}
