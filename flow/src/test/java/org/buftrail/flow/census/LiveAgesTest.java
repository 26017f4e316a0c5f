package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LiveAgesTest {
  @Test
  void countsAndAgesAreThoseOfEachNode() {
    Random random = new Random(7);
    Map<Integer, List<Integer>> expected = new HashMap<>();
    LiveAges ages = new LiveAges(3, 0);
    for (int i = 0; i < 10_000; i++) {
      int node = random.nextInt(300) * 2;
      int age = random.nextInt(50);
      ages.add(node, age, node);
      expected.computeIfAbsent(node, n -> new ArrayList<>()).add(age);
    }
    ages.sort();

    for (int node = 0; node < 1_000; node++) {
      List<Integer> here = expected.getOrDefault(node, List.of());
      assertThat(ages.count(node)).isEqualTo(here.size());
      assertThat(ages.bytes(node)).isEqualTo((long) node * here.size());
      if (!here.isEmpty()) {
        Collections.sort(here);
        assertThat(ages.oldest(node)).isEqualTo(here.get(here.size() - 1));
        assertThat(ages.median(node)).isEqualTo(here.get(here.size() / 2));
      }
    }
  }
}
