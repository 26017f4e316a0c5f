package org.buftrail.flow.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CountersTest {
  private static int[] nodes(Random random) {
    return random.ints(random.nextInt(301), 0, random.nextBoolean() ? 20_001 : 70).toArray();
  }

  @RepeatedTest(200)
  void countersAddUp(RepetitionInfo seed) {
    Random random = new Random(seed.getCurrentRepetition());
    int[] mine = nodes(random);
    int[] others = nodes(random);
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

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 6, 63, 64, 255, 256, 1 << 20, Integer.MAX_VALUE})
  void nodesNeverCountedReadAsNothing(int node) {
    Counters counters = new Counters();
    counters.add(5, 1);
    assertThat(counters.count(node)).isZero();
    assertThat(counters.bytes(node)).isZero();
    assertThat(counters.count(5)).isEqualTo(1);
  }
}
