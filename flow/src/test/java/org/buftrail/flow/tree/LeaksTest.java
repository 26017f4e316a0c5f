package org.buftrail.flow.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.buftrail.flow.Probe;
import org.buftrail.model.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LeaksTest {
  private final PathTree tree = new PathTree();
  private final Node node = tree.root(Probe.site("Leaks"), 0);
  private final Node other = tree.root(Probe.site("Others"), 0);
  private final Leaks leaks = new Leaks();

  private void assertCounted(long count, long bytes) {
    assertThat(leaks.counters.count(node.id)).isEqualTo(count);
    assertThat(leaks.counters.bytes(node.id)).isEqualTo(bytes);
  }

  @Test
  void aLeakThatBelongsElsewhereIsTakenBackAndWithTheLastTheTimesToo() {
    leaks.add(node, 10);
    leaks.add(node, 20);
    leaks.add(other, 40);
    leaks.addBytes(node, 5);
    assertCounted(2, 35);
    leaks.take(node, 20);
    assertCounted(1, 15);
    assertThat(leaks.firstSeenMillis(node)).isPositive();
    leaks.take(node, 10);
    assertCounted(0, 5);
    assertThat(leaks.firstSeenMillis(node)).isEqualTo(Path.NEVER);
    assertThat(leaks.lastSeenMillis(node)).isEqualTo(Path.NEVER);
    assertThat(leaks.lastSeenMillis(other)).isPositive();
    assertThat(leaks.flows()).isEqualTo(1);
  }

  @Test
  void aCopyDoesNotChangeWithWhatItWasMadeOf() {
    Leaks later = new Leaks();
    later.add(node, 10);
    leaks.addAll(later);
    long seen = leaks.lastSeenMillis(node);
    assertThat(seen).isEqualTo(later.lastSeenMillis(node));
    while (System.currentTimeMillis() == seen) {
      Thread.onSpinWait();
    }
    later.add(node, 10);
    assertThat(later.lastSeenMillis(node)).isGreaterThan(seen);
    assertThat(leaks.lastSeenMillis(node)).isEqualTo(seen);
    assertCounted(1, 10);
  }
}
