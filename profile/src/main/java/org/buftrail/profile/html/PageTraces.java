package org.buftrail.profile.html;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.Observations;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.LinkTable;

/**
 * The traces that a page tells apart: those with most samples. Samples of all others have one
 * number together, and so have samples without a trace.
 */
final class PageTraces {
  /** As many ids as a list can be searched in, in 36 KB. */
  static final int MOST = 1_000;

  private static final String NONE = "(no trace)";

  private final List<String> names = new ArrayList<>();

  /** The number of the trace of each link. */
  private final int[] numbers;

  /**
   * @param all the samples of the page
   * @param most the most traces that are distinguished
   */
  PageTraces(Dictionary dictionary, List<Samples> all, int most) {
    LinkTable links = dictionary.links();
    numbers = new int[links.size()];
    long[] counts = new long[links.size()];
    for (Samples samples : all) {
      Observations each = samples.observations();
      for (int sample = 0; sample < samples.size(); sample++) {
        counts[samples.link(sample)] += samples.isObserved() ? each.count(sample) : 1;
      }
    }
    Map<String, Long> byTrace = new HashMap<>();
    for (int link = 1; link < counts.length; link++) {
      if (counts[link] > 0) {
        byTrace.merge(id(links, link), counts[link], Long::sum);
      }
    }
    if (!byTrace.isEmpty()) {
      number(links, byTrace, most);
    }
  }

  private static String id(LinkTable links, int link) {
    return hex(links.traceHigh(link)) + hex(links.traceLow(link));
  }

  private static String hex(long half) {
    String digits = Long.toHexString(half);
    return "0".repeat(16 - digits.length()) + digits;
  }

  private void number(LinkTable links, Map<String, Long> byTrace, int most) {
    List<Map.Entry<String, Long>> sorted = new ArrayList<>(byTrace.entrySet());
    sorted.sort(
        Map.Entry.<String, Long>comparingByValue()
            .reversed()
            .thenComparing(Map.Entry.comparingByKey()));
    names.add(NONE);
    Map<String, Integer> told = new HashMap<>();
    for (Map.Entry<String, Long> entry : sorted.subList(0, Math.min(most, sorted.size()))) {
      told.put(entry.getKey(), names.size());
      names.add(entry.getKey());
    }
    int others = sorted.size() - told.size();
    int last = names.size();
    if (others > 0) {
      names.add(others == 1 ? "(1 other trace)" : "(" + others + " other traces)");
    }
    Arrays.setAll(numbers, link -> link == 0 ? 0 : told.getOrDefault(id(links, link), last));
  }

  /** By number what stands for a trace, the first for none; empty where no sample has a trace. */
  List<String> names() {
    return names;
  }

  int number(int link) {
    return numbers[link];
  }
}
