package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CountersTest {
  @Property(tries = 200)
  void countersAddUp(
      @ForAll @Size(max = 300) List<@IntRange(max = 20_000) Integer> mine,
      @ForAll @Size(max = 300) List<@IntRange(max = 20_000) Integer> others) {
    Counters counters = new Counters();
    Counters other = new Counters();
    Map<Integer, Long> counts = new HashMap<>();
    for (int node : mine) {
      counters.add(node, node + 7L);
      counts.merge(node, 1L, Long::sum);
    }
    for (int node : others) {
      other.add(node, node + 7L);
      counts.merge(node, 1L, Long::sum);
    }
    counters.addAll(other);
    for (int node = 0; node <= 20_063; node++) {
      long count = counts.getOrDefault(node, 0L);
      assertThat(counters.count(node)).isEqualTo(count);
      assertThat(counters.bytes(node)).isEqualTo(count * (node + 7L));
    }
  }

  @Property(tries = 50)
  void nodesNeverCountedReadAsNothing(@ForAll @IntRange int node) {
    Counters counters = new Counters();
    counters.add(5, 1);
    assertThat(counters.count(node)).isEqualTo(node == 5 ? 1 : 0);
  }
}
