package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.dropped;
import static org.buftrail.flow.Probe.leaked;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.BufferAccess;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Composites and derived buffers of a library that was loaded before the agent. */
@ExtendWith(Probe.class)
final class ForeignCompositesTest {
  private static final int A = Probe.site("A");
  private static final int B = Probe.site("B");

  private final int root = Probe.root();

  private static final class Foreign {
    final int bytes;
    final boolean needsRelease;
    final List<Part> parts = new ArrayList<>();
    @Nullable Foreign parent;
    boolean isComposite;
    int count = 1;

    Foreign(int bytes, boolean needsRelease) {
      this.bytes = bytes;
      this.needsRelease = needsRelease;
    }
  }

  private static final class Part {
    final Foreign source;

    Part(Foreign source) {
      this.source = source;
    }
  }

  private static final class Library extends BufferAccess {
    @Override
    public Class<?> type() {
      return Foreign.class;
    }

    @Override
    public boolean covers(Class<?> c) {
      return c == Foreign.class || c == Part.class;
    }

    @Override
    public @Nullable Object owner(Object object) {
      return object instanceof Foreign ? object : null;
    }

    @Override
    public @Nullable Object content(Object object) {
      return null;
    }

    @Override
    public int refCnt(Object owner) {
      return ((Foreign) owner).count;
    }

    @Override
    public int capacity(Object owner) {
      return ((Foreign) owner).bytes;
    }

    @Override
    public boolean isDirect(Object owner) {
      return true;
    }

    @Override
    public boolean needsRelease(Object owner) {
      return ((Foreign) owner).needsRelease;
    }

    @Override
    public boolean isComposite(Object owner) {
      return ((Foreign) owner).isComposite;
    }

    @Override
    public @Nullable Object[] components(Object composite) {
      return ((Foreign) composite).parts.stream().map(part -> part.source).toArray();
    }

    @Override
    public @Nullable Object source(Object component) {
      return ((Part) component).source;
    }

    @Override
    public @Nullable Object parent(Object owner) {
      return ((Foreign) owner).parent;
    }
  }

  @BeforeEach
  void follow() {
    FlowTracker.INSTANCE.addBufferAccess(new Library());
  }

  private Foreign buffer(int bytes) {
    Foreign made = new Foreign(bytes, true);
    Buffers.created(made, root);
    return made;
  }

  private Foreign heap(int bytes) {
    Foreign made = new Foreign(bytes, false);
    Buffers.created(made, root);
    return made;
  }

  /** Its components are there before its flow begins, as those of a read-only view are. */
  private Foreign fixed(Foreign... sources) {
    Foreign made = new Foreign(0, false);
    made.isComposite = true;
    for (Foreign source : sources) {
      made.parts.add(new Part(source));
    }
    Buffers.created(made, root);
    return made;
  }

  private static void add(Foreign composite, Foreign source) {
    Part part = new Part(source);
    composite.parts.add(part);
    Buffers.joined(composite, part);
  }

  private static Foreign remove(Foreign composite, int index) {
    Part part = composite.parts.remove(index);
    Buffers.componentRemoved(part);
    return part.source;
  }

  private static Foreign derived(Foreign parent) {
    Foreign made = new Foreign(1, true);
    made.parent = parent;
    Buffers.derived(made);
    return made;
  }

  private static void release(Foreign buffer) {
    buffer.count--;
    Buffers.released(buffer, buffer.count == 0);
    for (Part part : buffer.count == 0 ? buffer.parts : List.<Part>of()) {
      release(part.source);
    }
  }

  @Test
  void aCompositeIsLostWithWhatItHolds() throws Exception {
    loseOneByOne();
    Probe.awaitLeaks(root, 3);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("A", leaked(1, 30).holding(2));
  }

  private void loseOneByOne() {
    Foreign composite = fixed();
    add(composite, buffer(10));
    add(composite, buffer(20));
    Buffers.hop(composite, A);
  }

  @Test
  void soIsOneThatWasMadeOfOthersAtOnce() throws Exception {
    Buffers.hop(fixed(buffer(10), fixed(buffer(20), buffer(30))), A);
    Probe.awaitLeaks(root, 5);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("A", leaked(1, 60).holding(4));
  }

  @Test
  void oneThatIsLostLongAfterIsALeakToo() throws Exception {
    tenured();
    Probe.awaitLeaks(root, 3);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("A", leaked(1, 30).holding(2));
  }

  private void tenured() {
    Foreign composite = fixed(buffer(10));
    try {
      Buffers.hop(composite, A);
      Probe.settle();
      add(composite, buffer(20));
      Probe.settle();
    } finally {
      Reference.reachabilityFence(composite);
    }
  }

  @Test
  void aCompositeOfWhatTheCollectorFreesIsDropped() throws Exception {
    Buffers.hop(fixed(heap(10), heap(20)), A);
    Probe.awaitLeaks(root, 3);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("A", dropped(3, 30));
  }

  @Test
  void whatWasTakenOutIsALeakOfItsOwn() throws Exception {
    takeOut();
    Probe.awaitLeaks(root, 3);
    assertThat(Probe.paths(root))
        .containsEntry("A", leaked(1, 20).holding(1))
        .containsEntry("B", leaked(1, 10));
  }

  private void takeOut() {
    Foreign composite = fixed(buffer(10), buffer(20));
    Buffers.hop(composite, A);
    Buffers.hop(remove(composite, 0), B);
  }

  @Test
  void whatACompositeAloneHoldsMovesWithIt() {
    Foreign composite = fixed();
    Foreign shared = buffer(20);
    shared.count = 2;
    add(composite, buffer(10));
    add(composite, shared);
    add(composite, fixed(buffer(40)));
    Buffers.hop(composite, A);
    assertThat(Probe.paths(root))
        .hasSize(2)
        .containsEntry("A", live(4, 50))
        .containsEntry("", live(1, 20));
    shared.count = 1;
    Buffers.hop(composite, B);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("A B", live(5, 70));
    assertThat(parts()).isEqualTo(3);
    Probe.settle();
    assertThat(parts()).isEqualTo(3);
    remove(composite, 0);
    assertThat(Probe.paths(root)).containsEntry("A B", live(4, 60)).containsEntry("", live(1, 10));
    release(composite);
    assertThat(Probe.paths(root)).containsEntry("A B release", released(4, 60));
  }

  /** How many live flows are parts of composites. */
  private long parts() {
    return FlowTracker.INSTANCE.snapshot().paths().stream()
        .filter(path -> path.hops().get(0).site().equals(Sites.get(root)))
        .mapToLong(Path::liveParts)
        .sum();
  }

  @Test
  void aReleasedCompositeLeavesNothing() {
    Foreign composite = fixed(buffer(10), buffer(20));
    release(composite);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("release", released(3, 30));
  }

  @Test
  void aDerivedBufferIsLostWithWhatItKeeps() throws Exception {
    Buffers.hop(derived(buffer(10)), A);
    Probe.awaitLeaks(root, 2);
    assertThat(Probe.paths(root)).containsEntry("A", leaked(1, 10).holding(1));
  }

  @Test
  void whatItKeepsIsHeldAlsoIfItIsFoundLater() throws Exception {
    Foreign[] kept = {buffer(10)};
    Buffers.hop(derived(derived(kept[0])), A);
    Probe.awaitLeaks(root, 2);
    assertThat(Probe.paths(root)).containsEntry("A", leaked(1, 0).holding(1));
    kept[0] = null;
    Probe.awaitLeaks(root, 3);
    assertThat(Probe.paths(root)).hasSize(1).containsEntry("A", leaked(1, 10).holding(2));
  }

  @Test
  void whatItKeepsStaysItsOwnWhenACompositeGivesThatUp() throws Exception {
    Foreign[] kept = {buffer(10)};
    Foreign composite = fixed(kept[0]);
    Probe.settle();
    Buffers.hop(derived(kept[0]), A);
    Probe.awaitLeaks(root, 1);
    remove(composite, 0);
    kept[0] = null;
    Probe.awaitLeaks(root, 2);
    assertThat(Probe.paths(root)).containsEntry("A", leaked(1, 10).holding(1));
    release(composite);
  }

  @Test
  void aDerivedBufferIsLostWithWhatItKeepsLongAfterToo() throws Exception {
    tenuredDerived();
    Probe.awaitLeaks(root, 2);
    assertThat(Probe.paths(root)).containsEntry("A", leaked(1, 10).holding(1));
  }

  private void tenuredDerived() {
    Foreign derived = derived(buffer(10));
    try {
      Buffers.hop(derived, A);
      Probe.settle();
      Probe.settle();
    } finally {
      Reference.reachabilityFence(derived);
    }
  }
}
