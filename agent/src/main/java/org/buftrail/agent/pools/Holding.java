package org.buftrail.agent.pools;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

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

  /** How many buffers each keeper may get, counted in place: there may be a million. */
  private final Map<Object, int[]> kept = new HashMap<>();

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
    int[] count = kept.get(keeper);
    if (count == null) {
      count = new int[1];
      kept.put(keeper, count);
    }
    count[0]++;
  }

  /** Those that may get buffers. */
  Set<Object> keepers() {
    return kept.keySet();
  }

  /** How many buffers a keeper may get. */
  int kept(Object keeper) {
    int[] count = kept.get(keeper);
    return count == null ? 0 : count[0];
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
