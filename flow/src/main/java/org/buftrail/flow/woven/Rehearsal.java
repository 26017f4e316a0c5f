package org.buftrail.flow.woven;

import java.lang.ref.ReferenceQueue;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.buftrail.flow.nursery.CarrierThreads;
import org.buftrail.flow.nursery.Desk;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.Stragglers;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.Sites;

/**
 * Does once, on things that nobody follows, what application threads will do.
 *
 * <p>The first call through a variable handle is linked by code of the JDK, and the first use of a
 * class initialises it. Should the application's stack end just there, the class would be lost to
 * the whole JVM. So it happens here, at the start, on a stack that is known to be long enough.
 */
public final class Rehearsal {
  /** What the JDK's classes turn to when threads meet, or when a stack trace is looked at. */
  private static final String[] OF_THE_JDK = {
    "java.util.concurrent.ThreadLocalRandom",
    "java.util.concurrent.ConcurrentHashMap$CounterCell",
    "java.util.concurrent.ConcurrentHashMap$ForwardingNode",
    "java.util.concurrent.ConcurrentHashMap$TreeBin",
    "java.util.concurrent.ConcurrentHashMap$TreeNode",
    "java.util.concurrent.atomic.Striped64$Cell",
    "java.util.HashMap$TreeNode",
  };

  private Rehearsal() {}

  /** A buffer of 1 byte that is never released. */
  private static final class Actor extends TrackedBuffer {
    @Override
    public int refCnt() {
      return 1;
    }

    @Override
    public int capacity() {
      return 1;
    }

    @Override
    public boolean isDirect() {
      return false;
    }
  }

  /** Takes what a desk has handed on. */
  private static final class Taker implements Consumer<TenuredFlow> {
    @Override
    public void accept(TenuredFlow tenured) {
      tenured.isCollected();
      tenured.markEnded();
    }
  }

  public static void run() {
    for (String name : OF_THE_JDK) {
      initialise(name);
    }
    Objects.requireNonNull(new Throwable().getStackTrace());
    Tracker tracker = new Tracker();
    Node root = tracker.tree.root(0, 0);
    Node end = root.end();
    Actor buffer = new Actor();
    Desk desk = new Desk(tracker.nursery, null);
    shortLife(tracker, desk, buffer, root, end);
    shortLife(tracker, desk, buffer, root, end);
    longLife(tracker, desk, buffer, root);
    desk.giveUpAllowance();
    Resources.rehearse();
    tracker.tree.roots.rehearse();
    CarrierThreads.current();
  }

  private static void initialise(String name) {
    try {
      Class.forName(name, true, null);
    } catch (ClassNotFoundException e) {
      return; // Another JDK does it another way.
    }
  }

  private static void shortLife(Tracker tracker, Desk desk, Actor buffer, Node root, Node end) {
    desk.borrow();
    desk.giveBack();
    desk.enterGuarded(buffer, root, 0);
    tracker.moves.move(buffer, Sites.RETAIN);
    desk.inSlot(Stamp.slot(FlowState.stampOpaque(buffer)));
    desk.isYoung(0, desk.entered());
    desk.leaveGuarded(buffer, FlowState.stampOpaque(buffer), end);
    Nursery.recall(buffer, desk.past(0));
    FlowState.compareAndSetStamp(buffer, FlowState.stamp(buffer), FlowState.stamp(buffer));
    FlowState.compareAndSetState(buffer, FlowState.state(buffer), FlowState.state(buffer));
  }

  /** Until it has a tenured flow. */
  private static void longLife(Tracker tracker, Desk desk, Actor buffer, Node root) {
    desk.enter(buffer, root, 0);
    int slot = Stamp.slot(FlowState.stampOpaque(buffer));
    tracker.nursery.evictions.displaced(desk, buffer, slot);
    desk.clearSlot(slot, buffer);
    desk.drainHanded(new Taker());
    desk.noteEnded(new TenuredFlow(buffer, new ReferenceQueue<>(), root, 0, true));
    desk.takeEnded();
    desk.put(Desk.RING);
    Stragglers late = new Stragglers();
    late.add(buffer, FlowState.stamp(buffer));
    late.take(List.of());
  }
}
