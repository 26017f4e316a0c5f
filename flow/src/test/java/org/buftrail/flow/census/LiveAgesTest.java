package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.buftrail.model.Births;
import org.junit.jupiter.api.Test;

final class LiveAgesTest {
  @Test
  void countsAndAgesAreThoseOfEachNode() {
    Random random = new Random(7);
    Map<Integer, List<Integer>> expected = new HashMap<>();
    LiveAges ages = new LiveAges(0);
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

  @Test
  void whatIsLiveIsToldByTheMinuteInWhichItBegan() {
    Random random = new Random(8);
    long now = 1_700_000_000_123L;
    Map<Long, long[]> expected = new TreeMap<>();
    LiveAges ages = new LiveAges(0);
    for (int i = 0; i < 5_000; i++) {
      int age = random.nextInt(1_000_000);
      int bytes = random.nextInt(10) == 0 ? Integer.MAX_VALUE : random.nextInt(1 << 20);
      ages.add(5, age, bytes);
      ages.add(6, 0, 1);
      long minute = Math.floorDiv(now - age * 50L, 60_000L) * 60_000;
      long[] sums = expected.computeIfAbsent(minute, any -> new long[2]);
      sums[0] += 2;
      sums[1] += 2L * bytes;
    }
    ages.sort();

    Births births = births(ages, 5, now, 2);
    Map<Long, long[]> told = new TreeMap<>();
    for (int i = 0; i < births.size(); i++) {
      told.put(births.minute(i), new long[] {births.flows(i).count(), births.flows(i).bytes()});
    }
    assertThat(told.keySet()).containsExactlyElementsOf(expected.keySet());
    told.forEach((minute, sums) -> assertThat(sums).isEqualTo(expected.get(minute)));
  }

  /** In the last of three rows, after one of another node. */
  private static Births births(LiveAges ages, int node, long now, long weight) {
    BirthRows rows = new BirthRows();
    rows.begin(3);
    ages.addBirths(node, now, weight, rows);
    rows.begin(4);
    ages.addBirths(node, now, weight, rows);
    rows.begin(7);
    rows.add(9, 1, 1);
    assertThat(rows.of(5)).isNull();
    assertThat(Objects.requireNonNull(rows.of(7)).size()).isEqualTo(1);
    return Objects.requireNonNull(rows.of(4));
  }

  @Test
  void whatIsOlderThanADayIsTold() {
    LiveAges ages = new LiveAges(0);
    for (int day = 0; day < 5; day++) {
      for (int minute = 0; minute < 1_440; minute++) {
        ages.add(1, (day * 1_440 + minute) * 1_200, 10);
      }
    }
    ages.sort();
    Births births = births(ages, 1, 1_700_000_000_000L, 1);
    long count = 0;
    for (int i = 0; i < births.size(); i++) {
      count += births.flows(i).count();
    }
    assertThat(count).isEqualTo(5 * 1_440);
    assertThat(births.size()).isEqualTo(25 * 60 + 1);
    assertThat(births.flows(births.size() - 1).count()).isEqualTo(1);
  }
}
