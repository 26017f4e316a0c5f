package org.buftrail.jfr.parquet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Texts, each once, in the order in which they came. Belongs to one thread. */
final class Texts {
  /** What a text takes besides its characters, about, in bytes. */
  private static final int COST = 96;

  private final List<String> all = new ArrayList<>();
  private final Map<String, Integer> places = new HashMap<>();
  private long weight;

  List<String> all() {
    return all;
  }

  /** How many bytes they take, about: Latin text as the JVM holds it. */
  long weight() {
    return weight;
  }

  /** The place of a text, which it gets if it has none. */
  int place(String text) {
    Integer place = places.putIfAbsent(text, all.size());
    if (place != null) {
      return place;
    }
    all.add(text);
    weight += COST + text.length();
    return all.size() - 1;
  }
}
