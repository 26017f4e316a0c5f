package org.buftrail.flow.woven;

import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.buftrail.flow.nursery.CarrierThreads;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.Stragglers;
import org.buftrail.flow.nursery.ThreadRing;
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
public final class RuntimeWarmUp {
  /** Classes that the JDK loads when threads contend or a stack trace is read. */
  private static final String[] OF_THE_JDK = {
    "java.util.concurrent.ThreadLocalRandom",
    "java.util.concurrent.ConcurrentHashMap$CounterCell",
    "java.util.concurrent.ConcurrentHashMap$ForwardingNode",
    "java.util.concurrent.ConcurrentHashMap$TreeBin",
    "java.util.concurrent.ConcurrentHashMap$TreeNode",
    "java.util.concurrent.atomic.Striped64$Cell",
    "java.util.HashMap$TreeNode",
  };

  private RuntimeWarmUp() {}

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

  /** Takes this class for the application's, so that a look finds a frame. */
  private static final class Own implements Predicate<String> {
    @Override
    public boolean test(String className) {
      return false;
    }
  }

  /** Takes what a ring has handed on. */
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
    tracker.tree.looks.setOwn(new Own());
    Node root = tracker.tree.root(0, 0);
    Node end = root.end();
    Actor buffer = new Actor();
    ThreadRing ring = new ThreadRing(tracker.nursery, null);
    ring.grantLooks(0, 1);
    shortLife(tracker, ring, buffer, root, end);
    shortLife(tracker, ring, buffer, root, end);
    longLife(tracker, ring, buffer, root);
    // All ways on but the first go into a table.
    for (int bucket = 0; bucket < 4; bucket++) {
      root.next(Sites.RETAIN << 2 | bucket);
    }
    ring.giveUpAllowance();
    tracker.directTable.add(ByteBuffer.allocate(1), Sites.RETAIN);
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

  private static void shortLife(
      Tracker tracker, ThreadRing ring, Actor buffer, Node root, Node end) {
    ring.borrow();
    ring.giveBack();
    ring.enterGuarded(buffer, root, 0);
    tracker.moves.move(buffer, Sites.RETAIN);
    ring.inSlot(Stamp.slot(FlowState.stampOpaque(buffer)));
    ring.isYoung(0, ring.entered());
    ring.leaveGuarded(buffer, FlowState.stampOpaque(buffer), end);
    Nursery.recall(buffer, ring.past(0));
    FlowState.compareAndSetStamp(buffer, FlowState.stamp(buffer), FlowState.stamp(buffer));
    FlowState.compareAndSetState(buffer, FlowState.state(buffer), FlowState.state(buffer));
  }

  /** Until it has a tenured flow. */
  private static void longLife(Tracker tracker, ThreadRing ring, Actor buffer, Node root) {
    // More than a ring holds by itself: it asks for more.
    for (int i = 0; i < 8; i++) {
      ring.enter(buffer, root, 0);
    }
    int slot = Stamp.slot(FlowState.stampOpaque(buffer));
    tracker.nursery.evictions.displaced(ring, buffer, slot);
    ring.clearSlot(slot, buffer);
    ring.drainPublished(new Taker());
    ring.noteEnded(new TenuredFlow(buffer, new ReferenceQueue<>(), root, 0, true));
    ring.takeEnded();
    ring.put(ThreadRing.RING);
    Stragglers late = new Stragglers();
    late.add(buffer);
    late.collect();
    late.buffers();
    late.done();
  }
}
