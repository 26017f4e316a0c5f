package org.buftrail.flow.woven;

import java.lang.ref.WeakReference;
import java.util.List;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.scope.Scopes;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Owners;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.SideTable;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.MisuseCounts;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.Sighting;
import org.buftrail.model.Misuse;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/**
 * Counts what was done to buffers after their release, by the node of that release.
 *
 * <p>Every call comes with an exception that Netty is about to throw, so it may cost a lock and a
 * look at the stack. Bounded: past {@link #MAX} different ones only those known are counted.
 */
public final class Misuses {
  static final int MAX = 1_000;
  private static final int MAX_FRAMES = 64;

  private static final String OWN = "org.buftrail.flow.";
  private static final String BUFFER = "buffer.ByteBuf";
  private static final String NETTY = "io.netty.";

  /** No place of an application: the JDK, what runs its tests, and what runs its tasks for us. */
  private static final String[] JDK = {
    "java.", "javax.", "jdk.", "sun.", "org.junit.", "org.buftrail.flow.woven.ExecutorScopes"
  };

  private final MisuseCounts counts = new MisuseCounts(MAX);
  private WeakReference<Throwable> last = new WeakReference<>(null);

  private final SideTable sideTable;
  private final Nursery nursery;
  private final Scopes scopes;

  Misuses(SideTable sideTable, Nursery nursery, Scopes scopes) {
    this.sideTable = sideTable;
    this.nursery = nursery;
    this.scopes = scopes;
  }

  /**
   * A resource that must be closed once is closed again.
   *
   * @param here made by the call that the closing method makes
   */
  void addClose(Throwable here, Node end) {
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
      MisuseCounts.Key key =
          new MisuseCounts.Key(end.plainEnd(), Misuse.Kind.DOUBLE_RELEASE, site(caller));
      counts.add(key, null, end.sighting(), MisuseCounts.NO_STACK);
      scopes.misused(key, null);
    }
  }

  /** A count was wrong. That is a misuse when the buffer's life is over. */
  void add(Throwable thrown, @Nullable Object buffer, Misuse.Kind kind) {
    TrackedBuffer tracked =
        buffer instanceof TrackedBuffer ? (TrackedBuffer) buffer : sideTable.find(buffer);
    TrackedBuffer owner = tracked == null ? null : Owners.owner(tracked);
    TrackedBuffer misused = owner == null ? tracked : owner;
    Node end = misused == null ? null : FlowState.ending(misused);
    if (misused != null && end != null) {
      add(thrown, misused, end, kind);
    } else if (misused != null && kind == Misuse.Kind.DOUBLE_RELEASE && scopes.areOpen()) {
      addToLive(thrown, misused);
    }
  }

  /** A release of more than there is changes nothing, so scopes alone are told. */
  private void addToLive(Throwable thrown, TrackedBuffer buffer) {
    Node at = Nursery.position(buffer);
    if (at != null && isFirst(thrown)) {
      Site site = caller(thrown, root(buffer));
      Misuse.Kind kind = Misuse.Kind.RELEASE_OF_TOO_MANY;
      scopes.misused(new MisuseCounts.Key(at.counted(), kind, site), null, thrown, buffer);
    }
  }

  private boolean isFirst(Throwable thrown) {
    synchronized (counts) {
      if (last.get() == thrown) {
        return false;
      }
      last = new WeakReference<>(thrown);
      return true;
    }
  }

  /** An exception passes several woven methods on its way up; it counts once. */
  private void add(Throwable thrown, TrackedBuffer buffer, Node end, Misuse.Kind kind) {
    if (!isFirst(thrown)) {
      return;
    }
    MisuseCounts.Key key = new MisuseCounts.Key(end.plainEnd(), kind, caller(thrown, root(buffer)));
    Node earlier = earlier(buffer, end);
    counts.add(key, earlier, seen(buffer, end), MisuseCounts.NO_STACK);
    scopes.misused(key, earlier, thrown, buffer);
  }

  /** What looks saw of the life that ended at {@code end}; null for nothing. */
  private static @Nullable Sighting seen(TrackedBuffer buffer, Node end) {
    Sighting seen = end.sighting();
    Object state = FlowState.stateOpaque(buffer);
    // Where there was no room for an end of its own, the position knows.
    return seen == null && state instanceof Node ? ((Node) state).sighting() : seen;
  }

  /** Where the life before the one that ended at {@code end} did, or null. */
  private @Nullable Node earlier(TrackedBuffer buffer, Node end) {
    if (!end.isAfter() && Stamp.isEndedAlike(FlowState.stampOpaque(buffer))) {
      return end.plainEnd();
    }
    Node after = end.isAfter() ? end : Nursery.recall(buffer, nursery.rings.past(buffer));
    if (after == null || !after.isAfter() || after.plainEnd() != end.plainEnd()) {
      return null;
    }
    Node before = nursery.tree.byId(after.key);
    return before == null || before.isEnd() ? before : before.end();
  }

  private static Site site(StackTraceElement frame) {
    int line = Math.max(0, frame.getLineNumber());
    return new Site(frame.getClassName(), frame.getMethodName(), "", line, "");
  }

  /** {@code io.netty.}, or where else the Netty of a buffer lies. */
  private static String root(TrackedBuffer state) {
    Object buffer = state instanceof SideState ? ((SideState) state).owner() : state;
    for (Class<?> c = buffer == null ? null : buffer.getClass(); c != null; c = c.getSuperclass()) {
      String name = c.getName();
      if (name.endsWith("." + BUFFER)) {
        return name.substring(0, name.length() - BUFFER.length());
      }
    }
    return NETTY;
  }

  /**
   * The first place outside Netty and the JDK. Where all is theirs, as on an event loop, the first
   * that has not to do with counting.
   */
  private static Site caller(Throwable thrown, String netty) {
    StackTraceElement[] frames = thrown.getStackTrace();
    Site within = null;
    for (int i = 0; i < frames.length && i < MAX_FRAMES; i++) {
      String name = frames[i].getClassName();
      if (!name.startsWith(netty) && !isOfJdk(name)) {
        return site(frames[i]);
      }
      boolean counts =
          name.startsWith("buffer.", netty.length()) || name.startsWith("util.", netty.length());
      if (within == null && !(name.startsWith(netty) && counts)) {
        within = site(frames[i]);
      }
    }
    return within == null ? new Site("(unknown)", "caller", "", 0, "") : within;
  }

  private static boolean isOfJdk(String name) {
    for (String each : JDK) {
      if (name.startsWith(each)) {
        return true;
      }
    }
    return false;
  }

  public List<Misuse> list() {
    return counts.list();
  }
}
