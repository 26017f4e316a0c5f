package org.buftrail.jfr.merge;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.profile.text.Amounts;

/**
 * What recordings that are not damaged lack all the same, since their JVM did not write it: some
 * now and then, when it begins a chunk, some most of what a profile needs. Counted in events, by
 * their type.
 */
final class Gaps {
  private static final double MOST = 0.5;

  private final Map<String, Share> stacks = new TreeMap<>();
  private final Map<String, Share> addresses = new TreeMap<>();
  private final Map<String, Share> chunk = new TreeMap<>();
  private long chunksWithoutNames;

  /** Some of all events of a type. */
  private record Share(long some, long all) {
    static void add(Map<String, Share> shares, String key, long some, long all) {
      Share known = shares.get(key);
      shares.put(
          key,
          known == null ? new Share(some, all) : new Share(known.some + some, known.all + all));
    }

    String of(String event) {
      String noun = all == 1 ? " event" : " events";
      return String.format(
          Locale.ROOT, "%d of %d %s%s (%.1f %%)", some, all, event, noun, 100.0 * some / all);
    }
  }

  void clear() {
    stacks.clear();
    addresses.clear();
    chunk.clear();
    chunksWithoutNames = 0;
  }

  /** Notes how many events of a chunk have a stack trace, and how many of these the chunk lacks. */
  void stacks(String event, long missing, long named) {
    Share.add(chunk, event, missing, named);
  }

  /** Notes how many events of a chunk allocate memory without saying where. */
  void addresses(EventKind kind, long without, long all) {
    EventKind.Memory memory = kind.memory();
    if (memory != null && without > 0) {
      String what = kind.event() + " to " + memory.live().name();
      Share.add(addresses, what, without, all);
    }
  }

  /** Ends a chunk; answers how many stack traces it lacks. */
  long endChunk(boolean isDamaged, boolean isAnyNameMissing) {
    long missing = 0;
    for (Map.Entry<String, Share> entry : chunk.entrySet()) {
      missing += entry.getValue().some;
      long counted = isDamaged ? 0 : entry.getValue().some;
      Share.add(stacks, entry.getKey(), counted, entry.getValue().all);
    }
    chunk.clear();
    chunksWithoutNames += isAnyNameMissing && !isDamaged ? 1 : 0;
    return missing;
  }

  /** Whether a profile is too small. */
  boolean isAnyProfilePartial() {
    return !addresses.isEmpty();
  }

  /** Notes, one a line. */
  List<String> notes() {
    StringJoiner missing = new StringJoiner(" and ");
    StringJoiner useless = new StringJoiner(" and ");
    for (Map.Entry<String, Share> entry : stacks.entrySet()) {
      Share share = entry.getValue();
      if (share.some > 0) {
        missing.add("the stack traces of " + share.of(entry.getKey()));
      }
      if (share.some > MOST * share.all) {
        useless.add(entry.getKey());
      }
    }
    if (chunksWithoutNames > 0) {
      missing.add(
          "names of classes, methods or threads in "
              + Amounts.counted(chunksWithoutNames, "chunk", "chunks"));
    }
    List<String> notes = new ArrayList<>();
    if (missing.length() > 0) {
      notes.add("not in the recording, because its JVM did not write them: " + missing);
    }
    if (useless.length() > 0) {
      notes.add(
          "a profile of "
              + useless
              + " says little: more than half of the stack traces are missing");
    }
    for (Map.Entry<String, Share> entry : addresses.entrySet()) {
      String event = entry.getKey();
      int to = event.indexOf(" to ");
      String profile = event.substring(to + " to ".length());
      notes.add(
          entry.getValue().of(event.substring(0, to))
              + " have no address and are not in "
              + profile);
    }
    return notes;
  }
}
