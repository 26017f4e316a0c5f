package org.buftrail.flow;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
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
  private static final String OWN = "org.buftrail.flow.";

  private static final Map<Key, Count> COUNTS = new HashMap<>();
  private static WeakReference<Throwable> last = new WeakReference<>(null);

  private static final class Count {
    long times;

    /** Where the object's life before ended, if it was known once. */
    @Nullable Node earlier;
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

  /** An exception passes several woven methods on its way up; it counts once. */
  static void add(Throwable thrown, Trail buffer, Node end, Misuse.Kind kind) {
    Node earlier = EarlierLives.before(buffer);
    EarlierLives.watch();
    synchronized (COUNTS) {
      if (last.get() == thrown) {
        return;
      }
      last = new WeakReference<>(thrown);
    }
    count(new Key(end, kind, caller(thrown)), earlier);
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
        count.earlier = earlier == null ? count.earlier : earlier;
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

  static List<Misuse> list(Function<Node, List<Path.Hop>> hops) {
    List<Misuse> list = new ArrayList<>();
    synchronized (COUNTS) {
      COUNTS.forEach(
          (key, count) -> {
            Node earlier = count.earlier;
            list.add(
                new Misuse(
                    key.kind,
                    key.site,
                    count.times,
                    hops.apply(key.end),
                    earlier == null ? List.of() : hops.apply(earlier)));
          });
    }
    return list;
  }
}
