package org.buftrail.jfr.samples;

import java.util.HashMap;
import java.util.Map;
import org.buftrail.profile.dictionary.Dictionary;

/**
 * Stacks that events hold as text, root first: {@code a.B.c:12 > d.E.f}. What a text was found to
 * be is remembered.
 */
public final class PathStacks {
  private static final String ARROW = " > ";

  private final Dictionary dictionary;
  private final Map<Integer, Integer> known = new HashMap<>();

  public PathStacks(Dictionary dictionary) {
    this.dictionary = dictionary;
  }

  /** Begins with an empty dictionary. */
  public void clear() {
    known.clear();
  }

  /** The stack of a text, which is an index in the string table. */
  public int stack(int text) {
    return known.computeIfAbsent(text, this::parse);
  }

  private int parse(int text) {
    String[] hops = dictionary.strings().get(text).split(ARROW, -1);
    int[] locations = new int[hops.length];
    for (int i = 0; i < hops.length; i++) {
      locations[hops.length - 1 - i] = location(hops[i]);
    }
    return dictionary.stacks().intern(locations, 0, locations.length);
  }

  private int location(String hop) {
    int colon = hop.lastIndexOf(':');
    boolean hasLine = colon > 0 && hop.substring(colon + 1).matches("\\d{1,9}");
    int function = dictionary.functions().intern(hasLine ? hop.substring(0, colon) : hop);
    long line = hasLine ? Long.parseLong(hop.substring(colon + 1)) : 0;
    return dictionary.locations().intern(function, line, dictionary.frameType("jvm"));
  }
}
