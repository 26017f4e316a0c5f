package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.buftrail.model.Leftover;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many of what is left over in a scope are parts of others there. */
@ExtendWith(Probe.class)
class ScopePartsTest {
  private static final int A = Probe.site("A");

  private final int root = Probe.root();

  private FakeBuffer buffer(int bytes) {
    return FakeBuffer.direct(bytes).allocatedAt(root);
  }

  private FakeComposite composite(FakeBuffer... parts) {
    FakeComposite composite = new FakeComposite(false);
    composite.reset(1).allocatedAt(root);
    for (int i = 0; i < parts.length; i++) {
      composite.add(i, parts[i]);
    }
    composite.hop(A);
    return composite;
  }

  private static void assertParts(LeakScope scope, long count, long parts) {
    Leftover most = scope.leftovers().get(0);
    assertThat(most.count()).isEqualTo(count);
    assertThat(most.parts()).isEqualTo(parts);
  }

  @Test
  void aCompositeHasParts() {
    try (LeakScope scope = LeakScope.open("scope")) {
      List<FakeBuffer> parts = List.of(buffer(10), buffer(20));
      FakeComposite composite = composite(parts.get(0), parts.get(1));
      assertParts(scope, 3, 2);
      Probe.settle();
      assertParts(scope, 3, 2);
      composite.remove(0);
      assertThat(scope.leftovers()).extracting(Leftover::parts).containsExactly(1L, 0L);
      composite.release();
      parts.forEach(FakeBuffer::release);
    }
  }

  @Test
  void aCollectedCompositeHasPartsToo() throws Exception {
    try (LeakScope scope = LeakScope.open("scope")) {
      composite(buffer(10), buffer(20));
      Probe.awaitLeaks(root, 3);
      assertParts(scope, 3, 2);
    }
  }

  @Test
  void partsAreNeverAll() {
    try (LeakScope scope = LeakScope.open("scope")) {
      FakeBuffer part = buffer(10);
      FakeComposite composite = composite(part);
      composite.release();
      assertParts(scope, 1, 0);
      part.release();
    }
  }
}
