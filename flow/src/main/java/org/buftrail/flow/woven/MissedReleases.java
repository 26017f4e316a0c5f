package org.buftrail.flow.woven;

import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.TrackedBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes good for releases that could not be counted when they happened, because the stack was
 * exhausted or the heap full.
 *
 * <p>The handler that meets the error, in {@link Buffers#released} or in woven code around it,
 * leaves the buffer in {@link Buffers#MISSED}: a few plain stores, for which there is always room.
 * The sweeper takes it from there and ends its flow where it is, as does a thread that begins a new
 * life of the object before. Held strongly for a second at most.
 *
 * <p>A note may be overwritten by one of another thread. A young flow is found all the same, since
 * its count is 0; see {@link Nursery}.
 */
final class MissedReleases {
  /** What {@link Buffers#MISSED} is. */
  static final @Nullable Object[] NOTED = new Object[1024];

  private static final Tracker TRACKER = Tracker.INSTANCE;

  static {
    TRACKER.nursery.setMissed(new Settling());
  }

  /** The part of a sweep that settles missed releases. */
  private static final class Settling implements Runnable {
    @Override
    public void run() {
      settle();
    }
  }

  private MissedReleases() {}

  private static void end(TrackedBuffer buffer) {
    if (Nursery.position(buffer) != null) {
      TRACKER.releases.end(buffer);
      TRACKER.nursery.foundMissed();
    }
  }

  /** Ends all flows that were noted. An error leaves those that are not ended. */
  static void settle() {
    // First, so that what is noted meanwhile is found by the next look at the latest.
    Buffers.missed = 0;
    @Nullable Object[] missed = NOTED;
    for (int i = 0; i < missed.length; i++) {
      if (missed[i] != null) {
        settle(i);
      }
    }
  }

  private static synchronized void settle(int i) {
    Object noted = NOTED[i];
    TrackedBuffer buffer =
        noted instanceof TrackedBuffer ? (TrackedBuffer) noted : TRACKER.sideTable.find(noted);
    // A resource, whose count says little, is noted when its end has begun.
    if (buffer != null && (noted instanceof SideState || !FlowState.isHeld(buffer))) {
      end(buffer);
    }
    NOTED[i] = null;
  }

  /** Whether the release of the life under way was missed; then that ends here. */
  static synchronized boolean settle(TrackedBuffer owner) {
    for (int i = 0; i < NOTED.length; i++) {
      Object noted = NOTED[i];
      if (noted == owner
          || (owner instanceof SideState
              && noted != null
              && owner == TRACKER.sideTable.find(noted))) {
        end(owner);
        NOTED[i] = null;
        return true;
      }
    }
    return false;
  }
}
