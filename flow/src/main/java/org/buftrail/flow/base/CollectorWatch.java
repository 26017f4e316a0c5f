package org.buftrail.flow.base;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Notices that the garbage collector has run, by an object that nobody holds.
 *
 * <p>A collection of the young part of a heap counts as well, although it decides nothing about
 * what is old. Guarded by the nursery's monitor.
 */
public final class CollectorWatch {
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
  private WeakReference<Object> canary = new WeakReference<>(new Object(), collected);
  private int generation;

  /** Looks whether there was a collection since the last look. */
  public void look() {
    if (collected.poll() == canary) {
      generation++;
      canary = new WeakReference<>(new Object(), collected);
    }
  }

  /** Goes up with the collections that were noticed. */
  public short generation() {
    return (short) generation;
  }

  /**
   * Whether a collection has begun and ended since then: the first that is noticed may have begun
   * before. Repeats itself after 65,536.
   */
  public boolean hasRunSince(short then) {
    return (generation - then & 0xFFFF) >= 2;
  }
}
