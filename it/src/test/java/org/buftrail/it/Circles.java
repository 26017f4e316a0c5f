package org.buftrail.it;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds what reaches itself in a graph: its strongly connected components, after Tarjan. */
final class Circles {
  private final Map<String, Set<String>> graph;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<Set<String>> found = new ArrayList<>();

  /**
   * @param graph what each name leads to; names that are no keys lead nowhere
   */
  Circles(Map<String, Set<String>> graph) {
    this.graph = graph;
  }

  /** Those of two names or more. */
  List<Set<String>> all() {
    for (String name : graph.keySet()) {
      if (!numbers.containsKey(name)) {
        visit(name);
      }
    }
    return found;
  }

  /** The least number that can be reached from {@code name} among what is open. */
  private int visit(String name) {
    int number = numbers.size();
    numbers.put(name, number);
    open.push(name);
    int least = number;
    for (String next : graph.getOrDefault(name, Set.of())) {
      Integer known = numbers.get(next);
      if (known == null) {
        least = Math.min(least, visit(next));
      } else if (open.contains(next)) {
        least = Math.min(least, known);
      }
    }
    if (least == number) {
      Set<String> circle = new TreeSet<>();
      String last;
      do {
        last = open.pop();
        circle.add(last);
      } while (!last.equals(name));
      if (circle.size() > 1) {
        found.add(circle);
      }
    }
    return least;
  }
}
