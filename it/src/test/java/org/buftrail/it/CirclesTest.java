package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class CirclesTest {
  /** Two circles, of which one leads to the other, and one name that is in none. */
  @Test
  void whatReachesItselfIsFound() {
    Map<String, Set<String>> graph = new TreeMap<>();
    graph.put("a", Set.of("b"));
    graph.put("b", Set.of("c", "d"));
    graph.put("c", Set.of("a", "elsewhere"));
    graph.put("d", Set.of("e"));
    graph.put("e", Set.of("d"));
    graph.put("f", Set.of("f", "a"));
    assertThat(new Circles(graph).all())
        .containsExactlyInAnyOrder(Set.of("a", "b", "c"), Set.of("d", "e"));
  }

  @Test
  void aLineIsNoCircle() {
    assertThat(new Circles(Map.of("a", Set.of("b"), "b", Set.of("c"))).all()).isEmpty();
  }
}
