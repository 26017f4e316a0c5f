package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LivesTest {
  private static final int SIZE = 50_000;

  @Test
  void agesAreSortedAcrossBlocks() {
    Random random = new Random(5);
    for (int most : new int[] {1, 2, 1_000, Integer.MAX_VALUE}) {
      Lives lives = new Lives();
      List<Integer> expected = new ArrayList<>();
      for (int i = 0; i < SIZE; i++) {
        int age = random.nextInt(most);
        expected.add(age);
        lives.add(7, age, age & 0xFFL);
      }
      lives.sortByAge(0, SIZE);
      Collections.sort(expected);
      for (int i = 0; i < SIZE; i++) {
        assertThat(lives.ageTicks(i)).isEqualTo(expected.get(i));
        assertThat(lives.bytes(i)).isEqualTo(expected.get(i) & 0xFF);
      }
    }
  }

  @Test
  void aRangeIsSortedAlone() {
    Lives lives = new Lives();
    for (int i = 0; i < 100; i++) {
      lives.add(1, 100 - i, 0xFFFF_FFFFL);
    }
    lives.sortByAge(20, 60);
    assertThat(lives.ageTicks(19)).isEqualTo(81);
    assertThat(lives.ageTicks(20)).isEqualTo(41);
    assertThat(lives.ageTicks(59)).isEqualTo(80);
    assertThat(lives.ageTicks(60)).isEqualTo(40);
    assertThat(lives.bytes(20)).isEqualTo(0xFFFF_FFFFL);
  }
}
