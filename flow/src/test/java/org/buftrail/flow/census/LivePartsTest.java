package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.FakeComposite;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.tree.Sites;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many of the live flows of a path are parts of composites. */
@ExtendWith(Probe.class)
class LivePartsTest {
  private static final int A = Probe.site("A");

  private final int root = Probe.root();

  private FakeComposite composite(FakeBuffer... parts) {
    FakeComposite composite = new FakeComposite(false);
    composite.reset(1).allocatedAt(root);
    for (int i = 0; i < parts.length; i++) {
      composite.add(i, parts[i]);
    }
    composite.hop(A);
    return composite;
  }

  /** Live flows and the parts among them, by path. */
  private List<String> live() {
    return FlowTracker.INSTANCE.snapshot().paths().stream()
        .filter(path -> path.hops().get(0).site().equals(Sites.get(root)))
        .filter(path -> path.live().count() > 0)
        .map(path -> path.live().count() + " with " + path.liveParts())
        .sorted()
        .collect(Collectors.toList());
  }

  @Test
  void youngAndOldOnesAreCounted() {
    FakeBuffer first = FakeBuffer.direct(10).allocatedAt(root);
    FakeBuffer second = FakeBuffer.direct(20).allocatedAt(root);
    FakeBuffer alone = FakeBuffer.direct(30).allocatedAt(root);
    alone.hop(A);
    FakeComposite composite = composite(first, second);
    assertThat(live()).containsExactly("1 with 0", "3 with 2");
    Probe.settle();
    assertThat(live()).containsExactly("1 with 0", "3 with 2");
    composite.remove(1);
    assertThat(live()).containsExactly("1 with 0", "1 with 0", "2 with 1");
    FakeBuffer later = FakeBuffer.direct(40).allocatedAt(root);
    composite.add(1, later);
    assertThat(live()).containsExactly("1 with 0", "1 with 0", "3 with 2");
    List.of(composite, first, second, alone, later).forEach(FakeBuffer::release);
    assertThat(live()).isEmpty();
  }

  @Test
  void anOldBufferThatACompositeTakesInIsAPart() {
    FakeBuffer old = FakeBuffer.direct(10).allocatedAt(root);
    Probe.settle();
    FakeComposite composite = composite(old);
    assertThat(live()).containsExactly("2 with 1");
    composite.release();
    old.release();
  }
}
