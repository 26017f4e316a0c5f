package org.buftrail.flow;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts what was done to buffers after their release, by the node of that release.
 *
 * <p>Every call comes with an exception that Netty is about to throw, so it may cost a lock and a
 * look at the stack. Bounded: past {@link #MAX} different ones only those known are counted.
 */
final class Misuses {
  static final int MAX = 1_000;
  private static final int MAX_FRAMES = 64;

  /** Ends of lives before that are told apart at one place. */
  private static final int MAX_EARLIER = 16;

  private static final String OWN = "org.buftrail.flow.";

  private static final Map<Key, Count> COUNTS = new HashMap<>();
  private static WeakReference<Throwable> last = new WeakReference<>(null);

  private static final class Count {
    long times;

    /** Where the objects' lives before ended, and how often each. */
    final Map<Node, Integer> earlier = new HashMap<>();

    void addEarlier(Node end) {
      if (earlier.size() < MAX_EARLIER || earlier.containsKey(end)) {
        earlier.put(end, earlier.getOrDefault(end, 0) + 1);
      }
    }

    /** What all have in common is the cause; what is different each time came by chance. */
    @Nullable Node mostFrequentEarlier() {
      Node best = null;
      int times = 0;
      for (Map.Entry<Node, Integer> e : earlier.entrySet()) {
        if (e.getValue() > times) {
          best = e.getKey();
          times = e.getValue();
        }
      }
      return best;
    }
  }

  private static final class Key {
    final Node end;
    final Misuse.Kind kind;
    final Site site;

    Key(Node end, Misuse.Kind kind, Site site) {
      this.end = end;
      this.kind = kind;
      this.site = site;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Key
          && ((Key) o).end == end
          && ((Key) o).kind == kind
          && ((Key) o).site.equals(site);
    }

    @Override
    public int hashCode() {
      return Objects.hash(end.id, kind, site);
    }
  }

  private Misuses() {}

  /**
   * A resource that must be closed once is closed again.
   *
   * @param here made by the call that the closing method makes
   */
  static void addClose(Throwable here, Node end) {
    StackTraceElement[] frames = here.getStackTrace();
    int closing = 0;
    while (closing < frames.length && frames[closing].getClassName().startsWith(OWN)) {
      closing++;
    }
    if (closing + 1 >= frames.length) {
      return;
    }
    StackTraceElement caller = frames[closing + 1];
    // A method that closes by calling that of its superclass does so once.
    if (!caller.getMethodName().equals(frames[closing].getMethodName())) {
      count(new Key(end, Misuse.Kind.DOUBLE_RELEASE, site(caller)), null);
    }
  }

  /** A count was wrong. That is a misuse when the buffer's life is over. */
  static void add(Throwable thrown, @Nullable Object buffer, Misuse.Kind kind) {
    Trail trail = buffer instanceof Trail ? (Trail) buffer : Fosters.find(buffer);
    Trail owner = trail == null ? null : Flows.owner(trail);
    Trail misused = owner == null ? trail : owner;
    Node end = misused == null ? null : misused.ending();
    if (misused != null && end != null) {
      add(thrown, misused, end, kind);
    }
  }

  /** An exception passes several woven methods on its way up; it counts once. */
  private static void add(Throwable thrown, Trail buffer, Node end, Misuse.Kind kind) {
    synchronized (COUNTS) {
      if (last.get() == thrown) {
        return;
      }
      last = new WeakReference<>(thrown);
    }
    count(new Key(end.twinOf(), kind, caller(thrown)), earlier(buffer, end));
  }

  /** Where the life before the one that ended at {@code end} did, or null. */
  private static @Nullable Node earlier(Trail buffer, Node end) {
    if (!end.isAfter() && Trail.isEndedAlike(buffer.ticketOpaque())) {
      return end;
    }
    Node after = end.isAfter() ? end : Nursery.recall(buffer, Desks.past(buffer));
    if (after == null || !after.isAfter() || after.twinOf() != end.twinOf()) {
      return null;
    }
    Node before = Trie.INSTANCE.byId(after.key);
    return before == null || before.isEnd() ? before : before.end();
  }

  private static void count(Key key, @Nullable Node earlier) {
    synchronized (COUNTS) {
      Count count = COUNTS.get(key);
      if (count == null && COUNTS.size() < MAX) {
        count = new Count();
        COUNTS.put(key, count);
      }
      if (count != null) {
        count.times++;
        if (earlier != null) {
          count.addEarlier(earlier);
        }
      }
    }
  }

  private static Site site(StackTraceElement frame) {
    int line = Math.max(0, frame.getLineNumber());
    return new Site(frame.getClassName(), frame.getMethodName(), "", line, "");
  }

  private static Site caller(Throwable thrown) {
    StackTraceElement[] frames = thrown.getStackTrace();
    for (int i = 0; i < frames.length && i < MAX_FRAMES; i++) {
      String name = frames[i].getClassName();
      if (!name.contains("netty.buffer.") && !name.contains("netty.util.")) {
        return site(frames[i]);
      }
    }
    return new Site("(unknown)", "caller", "", 0, "");
  }

  static List<Misuse> list(TriePaths paths) {
    List<Misuse> list = new ArrayList<>();
    synchronized (COUNTS) {
      for (Map.Entry<Key, Count> e : COUNTS.entrySet()) {
        Key key = e.getKey();
        Node earlier = e.getValue().mostFrequentEarlier();
        list.add(
            new Misuse(
                key.kind,
                key.site,
                e.getValue().times,
                paths.hops(key.end),
                earlier == null ? List.of() : paths.hops(earlier)));
      }
    }
    return list;
  }
}
