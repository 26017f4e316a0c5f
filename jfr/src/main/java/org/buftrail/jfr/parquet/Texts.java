package org.buftrail.jfr.parquet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Texts, each once, in the order in which they came. Belongs to one thread. */
final class Texts {
  private final List<String> all = new ArrayList<>();
  private final Map<String, Integer> places = new HashMap<>();

  List<String> all() {
    return all;
  }

  /** The place of a text, which it gets if it has none. */
  int place(String text) {
    Integer place = places.putIfAbsent(text, all.size());
    if (place != null) {
      return place;
    }
    all.add(text);
    return all.size() - 1;
  }
}
