package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.dropped;
import static org.buftrail.flow.Probe.leaked;
import static org.buftrail.flow.Probe.live;

import java.lang.ref.Reference;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.FakeComposite;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The verdicts about buffers that are collected unreleased. */
@ExtendWith(Probe.class)
final class HoldingsTest {
  private static final int A = Probe.site("A");
  private static final int B = Probe.site("B");

  private final int root = Probe.root();

  @AfterEach
  void apart() {
    FlowTracker.INSTANCE.setDropsAreLeaks(false);
  }

  @Test
  void aBufferWithWhichNothingIsLostIsDropped() throws Exception {
    FakeBuffer.heap(10).ofTheCollector().allocatedAt(root).hop(A);
    FakeBuffer.heap(20).allocatedAt(root).hop(B);
    Probe.awaitLeaks(root, 2);
    assertThat(Probe.paths(root))
        .hasSize(2)
        .containsEntry("A", dropped(1, 10))
        .containsEntry("B", leaked(1, 20));
  }

  @Test
  void itIsALeakIfThatIsAskedFor() throws Exception {
    FlowTracker.INSTANCE.setDropsAreLeaks(true);
    FakeBuffer.heap(10).ofTheCollector().allocatedAt(root).hop(A);
    Probe.awaitLeaks(root, 1);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("A", leaked(1, 10));
  }

  @Test
  void aCompositeIsLostWithWhatItHolds() throws Exception {
    composite(heap(10), direct(20), direct(30)).hop(A);
    Probe.awaitLeaks(root, 4);
    assertThat(Probe.paths(root))
        .hasSize(1)
        .containsEntry("A", new Probe.Counts(0, 1, 2, 1, 0, 60));
  }

  @Test
  void aCompositeOfWhatTheCollectorFreesIsDropped() throws Exception {
    composite(heap(10), heap(20)).hop(A);
    composite().hop(B);
    Probe.awaitLeaks(root, 4);
    assertThat(Probe.paths(root))
        .hasSize(2)
        .containsEntry("A", dropped(3, 30))
        .containsEntry("B", dropped(1, 0));
  }

  @Test
  void compositesWithinCompositesAreOneLeak() throws Exception {
    composite(composite(direct(10), direct(20)), direct(30)).hop(A);
    Probe.awaitLeaks(root, 5);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("A", leaked(1, 60).holding(4));
  }

  /** Of composites around what is lost, those are dropped that are not looked through to it. */
  @Test
  void aCompositeIsLookedThroughSoDeepAndNoDeeper() throws Exception {
    FakeComposite nest = composite(direct(10));
    for (int i = 1; i < 8; i++) {
      nest = composite(nest);
    }
    nest.hop(A);
    nest = composite();
    nest.release();
    Probe.awaitLeaks(root, 9);
    assertThat(Probe.paths(root)).containsEntry("A", new Probe.Counts(0, 1, 4, 4, 0, 10));
  }

  @Test
  void whatIsAddedLaterIsHeldToo() throws Exception {
    addLater();
    Probe.awaitLeaks(root, 3);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("A", leaked(1, 30).holding(2));
  }

  private void addLater() {
    FakeComposite composite = composite(direct(10));
    try {
      composite.hop(A);
      Probe.settle();
      composite.add(1, direct(20));
      Probe.settle();
    } finally {
      Reference.reachabilityFence(composite);
    }
  }

  @Test
  void anEmptyCompositeThatGetsSomethingLaterIsLost() throws Exception {
    fillLater();
    Probe.awaitLeaks(root, 2);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("A", leaked(1, 20).holding(1));
  }

  private void fillLater() {
    FakeComposite composite = composite();
    try {
      composite.hop(A);
      Probe.settle();
      composite.add(0, direct(20));
      Probe.settle();
    } finally {
      Reference.reachabilityFence(composite);
    }
  }

  @Test
  void whatWasTakenOutIsALeakOfItsOwn() throws Exception {
    FakeComposite composite = composite(direct(10), direct(20));
    try {
      composite.hop(A);
      Probe.settle();
      takeOut(composite);
      Probe.awaitLeaks(root, 1);
      assertThat(Probe.paths(root))
          .hasSize(2)
          .containsEntry("B", leaked(1, 20))
          .containsEntry("A", live(2, 10));
    } finally {
      Reference.reachabilityFence(composite);
    }
  }

  private static void takeOut(FakeComposite composite) {
    FakeBuffer out = ((FakeComposite.Component) composite.buftrail$components()[1]).source();
    composite.remove(1);
    out.hop(B);
  }

  @Test
  void aComponentThatOthersHoldIsNotALeakBesidesItsComposite() throws Exception {
    FakeBuffer shared = direct(10).retain();
    composite(shared).hop(A);
    Probe.settle();
    shared.release();
    shared = direct(0);
    shared.release();
    Probe.awaitLeaks(root, 2);
    assertThat(Probe.paths(root)).containsEntry("A", leaked(1, 10).holding(1));
  }

  @Test
  void aDerivedBufferIsLostWithWhatItKeeps() throws Exception {
    derived(direct(10), 1).hop(A);
    derived(direct(20), 3).hop(B);
    Probe.awaitLeaks(root, 6);
    assertThat(Probe.paths(root))
        .hasSize(2)
        .containsEntry("A", leaked(1, 10).holding(1))
        .containsEntry("B", leaked(1, 20).holding(3));
  }

  /** As by a collection of young objects alone. */
  @Test
  void whatItKeepsIsHeldAlsoIfItIsFoundLater() throws Exception {
    FakeBuffer[] kept = {direct(10)};
    derived(kept[0], 3).hop(A);
    Probe.awaitLeaks(root, 3);
    assertThat(Probe.paths(root)).containsEntry("A", leaked(1, 0).holding(2));
    kept[0] = null;
    Probe.awaitLeaks(root, 4);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("A", leaked(1, 10).holding(3));
  }

  @Test
  void whatItKeepsStaysItsOwnWhenACompositeGivesThatUp() throws Exception {
    FakeBuffer[] kept = {direct(10)};
    FakeComposite composite = composite(kept[0]);
    Probe.settle();
    derived(kept[0], 1).hop(A);
    Probe.awaitLeaks(root, 1);
    composite.remove(0);
    kept[0] = null;
    Probe.awaitLeaks(root, 2);
    assertThat(Probe.paths(root)).containsEntry("A", leaked(1, 10).holding(1));
    composite.release();
  }

  /** Loses none of those between. */
  private static FakeBuffer derived(FakeBuffer parent, int times) {
    FakeBuffer derived = parent;
    for (int i = 0; i < times; i++) {
      FakeBuffer next = FakeBuffer.direct(1);
      next.derivedFrom(derived);
      Buffers.derived(next);
      derived = next;
    }
    return derived;
  }

  @Test
  void whatIsLostFasterThanItIsSweptIsToldApartToo() throws Exception {
    int lost = 600;
    for (int i = 0; i < lost; i++) {
      composite(direct(1 << 16), heap(1)).hop(A);
    }
    Probe.awaitLeaks(root, 3L * lost);
    assertThat(Probe.paths(root))
        .hasSize(1)
        .containsEntry("A", new Probe.Counts(0, lost, lost, lost, 0, lost * ((1L << 16) + 1)));
  }

  private FakeBuffer heap(int capacity) {
    return FakeBuffer.heap(capacity).ofTheCollector().allocatedAt(root);
  }

  private FakeBuffer direct(int capacity) {
    return FakeBuffer.direct(capacity).allocatedAt(root);
  }

  private FakeComposite composite(FakeBuffer... components) {
    FakeComposite composite = new FakeComposite(false);
    composite.reset(1).allocatedAt(root);
    for (int i = 0; i < components.length; i++) {
      composite.add(i, components[i]);
    }
    return composite;
  }
}
