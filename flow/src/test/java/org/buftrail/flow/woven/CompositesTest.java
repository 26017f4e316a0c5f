package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.FakeComposite;
import org.buftrail.flow.Probe;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.tree.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How far what is in a composite goes its way. */
@ExtendWith(Probe.class)
final class CompositesTest {
  private final int root = Probe.root();
  private final int partRoot = Probe.root();

  private static FakeComposite composite(int root) {
    FakeComposite composite = new FakeComposite(true);
    composite.reset(1).allocatedAt(root);
    return composite;
  }

  @Test
  void onlySoManyComponentsGoTheWayOfTheirComposite() {
    FakeComposite composite = composite(root);
    List<FakeBuffer> parts = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      FakeBuffer part = FakeBuffer.heap(1).allocatedAt(partRoot);
      composite.add(i, part);
      parts.add(part);
    }
    composite.hop(Probe.site("On"));
    List<Node> places = new ArrayList<>();
    parts.forEach(part -> places.add(Nursery.position(part)));
    Node moved = Nursery.position(composite);
    assertThat(places.subList(0, 64)).containsOnly(moved);
    assertThat(places.subList(64, 70)).doesNotContain(moved).hasSize(6);
    composite.release();
    parts.forEach(FakeBuffer::release);
  }
}
