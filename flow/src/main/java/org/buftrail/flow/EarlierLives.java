package org.buftrail.flow;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Where the last life of recycled objects ended, for the lives that are under way.
 *
 * <p>Whoever releases a buffer once too often after its object was recycled ends the life of its
 * next owner, and Netty throws nothing. The next owner fails later, on a path where nothing is
 * wrong; what went wrong is on the path of the life before. No buffer has room for that, so it is
 * remembered here, and only for a while after something was done to a released buffer.
 *
 * <p>Thread-safe. Keeps nothing alive; bounded: a place is shared by objects whose identity hashes
 * agree in the lower bits, and only the object itself identifies an entry.
 */
final class EarlierLives {
  private static final int PLACES = 1 << 12;

  /** How long an application that behaves again pays for having misbehaved. */
  private static final long WATCH_NANOS = 60_000_000_000L;

  private static final AtomicReferenceArray<@Nullable Entry> ENTRIES =
      new AtomicReferenceArray<>(PLACES);

  /** Plain: a thread that sees a change late remembers a few lives more or less. */
  private static boolean watching;

  private static volatile long watchedSince;

  private static final class Entry extends WeakReference<Trail> {
    final int ticket;
    final Node end;

    Entry(Trail buffer, int ticket, Node end) {
      super(buffer);
      this.ticket = ticket;
      this.end = end;
    }
  }

  private EarlierLives() {}

  static boolean isWatching() {
    return watching;
  }

  /** Something was done to a released buffer: it may happen again. */
  static void watch() {
    watchedSince = System.nanoTime();
    watching = true;
  }

  /** Stops remembering when nothing has happened for a while. From the sweeper. */
  static void rest() {
    if (watching && System.nanoTime() - watchedSince > WATCH_NANOS) {
      watching = false;
      for (int i = 0; i < PLACES; i++) {
        ENTRIES.set(i, null);
      }
    }
  }

  /** A life is about to begin. */
  static void remember(Trail buffer) {
    Object state = buffer.stateOpaque();
    if (state instanceof Node && ((Node) state).isEnd()) {
      int next = Trail.nextLife(buffer.ticketOpaque(), 0);
      ENTRIES.set(place(buffer), new Entry(buffer, next, (Node) state));
    }
  }

  /** The end of the life before the one that has just ended, or null when it is not known. */
  static @Nullable Node before(Trail buffer) {
    Entry entry = ENTRIES.get(place(buffer));
    return entry != null
            && entry.get() == buffer
            && Trail.isSameLife(entry.ticket, buffer.ticketOpaque())
        ? entry.end
        : null;
  }

  private static int place(Trail buffer) {
    return System.identityHashCode(buffer) & PLACES - 1;
  }
}
