package org.buftrail.profile.diff;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Numbers of nodes, and the changes that are said of them. */
final class EndsTest {
  @Test
  void nodesAreNumberedAsTheyAreMet() {
    Random random = new Random(7);
    Ends ends = new Ends();
    Map<Integer, Integer> model = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      int node = random.nextInt(1 << (1 + random.nextInt(12)));
      int expected = model.computeIfAbsent(node, any -> model.size());
      assertThat(ends.number(node)).isEqualTo(expected);
    }
  }

  @Test
  void aNodeHasWhatIsUnderItsNumberAndElseNothing() {
    Ends ends = new Ends();
    assertThat(ends.at(new long[] {9}, 0)).isZero();
    assertThat(ends.number(5)).isZero();
    assertThat(ends.number(15)).isEqualTo(1);
    assertThat(ends.number(16)).isEqualTo(2);
    long[] values = {10, 20};
    assertThat(ends.at(values, 5)).isEqualTo(10);
    assertThat(ends.at(values, 15)).isEqualTo(20);
    // Its number came after the values were made.
    assertThat(ends.at(values, 16)).isZero();
    assertThat(ends.at(values, 0)).isZero();
    assertThat(ends.at(values, 1_000)).isZero();
    assertThat(ends.byNode(values, 7)).containsExactly(0, 0, 0, 0, 0, 10, 0);
    assertThat(ends.byNode(values, 0)).isEmpty();
  }

  @Test
  void aChangeIsWhatItSaysOfANode() {
    Change change = new Change(3, 10, 10, 40);
    assertThat(change)
        .isEqualTo(new Change(3, 10, 10, 40))
        .hasSameHashCodeAs(new Change(3, 10, 10, 40))
        .isNotEqualTo(new Change(4, 10, 10, 40))
        .isNotEqualTo(new Change(3, 11, 11, 40))
        .isNotEqualTo(new Change(3, 10, 10, 41))
        .isNotEqualTo("a text")
        .isNotEqualTo(null);
    Set<Integer> hashes = new HashSet<>();
    for (int i = 0; i < 27; i++) {
      hashes.add(new Change(i % 3, i / 3 % 3, i / 3 % 3, i / 9).hashCode());
    }
    assertThat(hashes).hasSize(27);
  }

  @Test
  void theLargestDifferenceIsFirstThenTheFirstNode() {
    assertThat(new Change(9, 0, 0, 50)).isLessThan(new Change(1, 0, 0, 49));
    assertThat(new Change(9, 50, 50, 0)).isLessThan(new Change(1, 0, 0, 49));
    assertThat(new Change(1, 7, 7, 9)).isLessThan(new Change(2, 9, 9, 7));
    assertThat(new Change(1, 7, 7, 9)).isEqualByComparingTo(new Change(1, 0, 0, 2));
  }

  @Test
  void whatIsNothingOnOneSideIsNewOrGone() {
    assertThat(new Change(0, 0, 0, 5).kind()).isEqualTo(Change.Kind.NEW);
    assertThat(new Change(0, 5, 5, 0).kind()).isEqualTo(Change.Kind.GONE);
    assertThat(new Change(0, 5, 5, 6).kind()).isEqualTo(Change.Kind.GREW);
    assertThat(new Change(0, 6, 6, 5).kind()).isEqualTo(Change.Kind.SHRANK);
    assertThat(new Change(0, 6, 6, 5).difference()).isEqualTo(-1);
  }
}
