package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.buftrail.flow.Probe;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.state.BufferAccess;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Composites, and slices, of a library that was loaded without a place for their state. */
final class CompositesBesideTest {
  private final Tracker tracker = new Tracker();
  private final int root = Probe.root();

  CompositesBesideTest() {
    tracker.sideTable.add(new Access());
    tracker.mode.setStarting(true);
  }

  /** One buffer, several in a composite, or a slice of one. */
  private static final class Memory {
    final @Nullable Object @Nullable [] parts;
    final @Nullable Memory parent;

    Memory(@Nullable Memory parent, @Nullable Object... parts) {
      this.parent = parent;
      this.parts = parts.length == 0 ? null : parts;
    }
  }

  private static final class Access extends BufferAccess {
    @Override
    public Class<?> type() {
      return Memory.class;
    }

    @Override
    public boolean covers(Class<?> c) {
      return c == Memory.class;
    }

    @Override
    public @Nullable Object owner(Object object) {
      Memory parent = ((Memory) object).parent;
      return parent == null ? object : parent;
    }

    @Override
    public @Nullable Object content(Object object) {
      return null;
    }

    @Override
    public int refCnt(Object owner) {
      return 1;
    }

    @Override
    public int capacity(Object owner) {
      return 16;
    }

    @Override
    public boolean isDirect(Object owner) {
      return true;
    }

    @Override
    public @Nullable Object @Nullable [] components(Object owner) {
      return ((Memory) owner).parts;
    }
  }

  private Memory born(Memory memory) {
    tracker.births.born(memory, root);
    return memory;
  }

  private @Nullable Node position(Memory memory) {
    return Nursery.position(Objects.requireNonNull(tracker.sideTable.get(memory)));
  }

  @Test
  void whatACompositeHoldsMovesWithIt() {
    Memory one = born(new Memory(null));
    Memory inner = new Memory(null, born(new Memory(null)), null);
    Memory composite = born(new Memory(null, one, born(inner), null));
    int site = Probe.site("Handler");
    tracker.moves.moveIn(composite, site);
    Node there = Objects.requireNonNull(position(composite));
    assertThat(there.site()).isEqualTo(site);
    assertThat(position(one)).isSameAs(there);
    assertThat(position(inner)).isSameAs(there);
    assertThat(position((Memory) Objects.requireNonNull(inner.parts)[0])).isSameAs(there);
    tracker.releases.endOfSideTable(one);
    tracker.moves.moveIn(composite, Probe.site("Later"));
    assertThat(position(one)).as("over").isNull();
  }

  @Test
  void aSlicesBufferMovesInsteadOfIt() {
    Memory buffer = born(new Memory(null));
    Memory slice = new Memory(buffer);
    int site = Probe.site("Handler");
    tracker.moves.moveIn(slice, site);
    assertThat(Objects.requireNonNull(position(buffer)).site()).isEqualTo(site);
    tracker.releases.endOfSideTable(slice);
    assertThat(position(buffer)).as("released its slice alone").isNotNull();
    tracker.releases.endOfSideTable(buffer);
    assertThat(position(buffer)).isNull();
  }
}
