package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.woven.Tracker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A ring that threads share is written with its monitor held: a thread that wants to write while
 * another holds it waits. That is told by the state of the thread, which is blocked or has ended.
 */
@ExtendWith(Probe.class)
@Timeout(120)
final class SharedRingTest {
  private final Node root = Tracker.INSTANCE.tree.roots.of(Probe.root(), 0);
  private final ThreadRing shared = new ThreadRing(Tracker.INSTANCE.nursery, null);
  private final FakeBuffer buffer = FakeBuffer.heap(8);

  /** Whether a thread cannot do it while this one has the monitor, and does it afterwards. */
  private boolean waitsForTheMonitor(ThreadRing ring, Runnable write) throws InterruptedException {
    Thread other = new Thread(write, "other");
    boolean waits;
    synchronized (ring) {
      other.start();
      do {
        Thread.onSpinWait();
        waits = isBlockedBy(ring, other);
      } while (!waits && other.isAlive());
    }
    other.join();
    return waits;
  }

  private static boolean isBlockedBy(ThreadRing ring, Thread thread) {
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
    LockInfo lock = info == null ? null : info.getLockInfo();
    return lock != null
        && info.getThreadState() == Thread.State.BLOCKED
        && lock.getIdentityHashCode() == System.identityHashCode(ring);
  }

  @Test
  void aLifeBeginsUnderTheMonitor() throws Exception {
    assertThat(waitsForTheMonitor(shared, () -> shared.enterGuarded(buffer, root, 0))).isTrue();
    assertThat(shared.allocated()).isEqualTo(1);
  }

  @Test
  void aLifeEndsUnderTheMonitor() throws Exception {
    shared.enterGuarded(buffer, root, 0);
    int stamp = FlowState.stampOpaque(buffer);
    Node end = root.end();
    assertThat(waitsForTheMonitor(shared, () -> shared.leaveGuarded(buffer, stamp, end))).isTrue();
  }

  @Test
  void aSampleIsChosenUnderTheMonitor() throws Exception {
    assertThat(waitsForTheMonitor(shared, () -> shared.skipsGuarded(2))).isTrue();
  }

  /** As on a thread that found as many rings as there may be. */
  @Test
  void aTenuredFlowIsHandedOnUnderTheMonitor() throws Exception {
    ThreadRings rings = Tracker.INSTANCE.nursery.rings;
    TenuredFlow tenured = Tracker.INSTANCE.nursery.tenured(buffer, root, 0);
    Runnable hand =
        () -> {
          rings.known.set(shared);
          rings.hand(tenured);
        };
    assertThat(waitsForTheMonitor(shared, hand)).isTrue();
    assertThat(shared.lastPublished()).isSameAs(tenured);
  }

  @Test
  void theOwnerOfARingWaitsForNobody() throws Exception {
    ThreadRing owned = new ThreadRing(Tracker.INSTANCE.nursery, Thread.currentThread());
    assertThat(waitsForTheMonitor(owned, () -> owned.skipsGuarded(2))).isFalse();
    assertThat(waitsForTheMonitor(owned, () -> owned.enterGuarded(buffer, root, 0))).isFalse();
  }
}
