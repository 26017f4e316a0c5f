package org.buftrail.profile.html;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.Observations;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.profile.trie.AttributeByKey;
import org.jspecify.annotations.Nullable;

/**
 * Samples by thread, by trace and, where they were kept, by time, for the filters and the heatmap
 * of a page.
 *
 * <p>A row is what one thread did in one stack within one grain of time. The grain is the finest at
 * which the rows of a kind are no more than its part of {@link #MAX_ROWS}; a kind that has more at
 * any grain, or negative values, is left out. Profiles over the same samples share them.
 */
final class PageSamples {
  /** Some 2 MB of text. */
  static final int MAX_ROWS = 300_000;

  private static final long NONE = Long.MAX_VALUE;
  private static final String THREAD_NAME = "thread.name";

  /** The milliseconds of the finest grain. */
  private static final int TICK = 10;

  private static final int[] GRAINS = {
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    30_000,
    60_000,
    300_000,
    600_000,
    3_600_000,
    86_400_000
  };

  /** The node of the page by stack. */
  private final int[] nodes;

  private final AttributeByKey threadName;
  private final Map<String, Integer> threads = new LinkedHashMap<>();
  private final List<Samples> written = new ArrayList<>();
  private final List<Samples> all = new ArrayList<>();
  private final PageTraces traces;

  /** Nanoseconds since the epoch. */
  private final long start;

  /**
   * @param profiles what the page shows
   * @param nodes the node of the page by stack; those of stacks without samples are not read
   */
  PageSamples(Dictionary dictionary, List<Profile> profiles, int[] nodes) {
    this.nodes = nodes;
    this.threadName = new AttributeByKey(dictionary, THREAD_NAME);
    for (Profile profile : profiles) {
      if (indexOf(all, profile.samples()) < 0) {
        all.add(profile.samples());
      }
    }
    this.traces = new PageTraces(dictionary, all, PageTraces.MOST);
    this.start = first();
  }

  private static int indexOf(List<Samples> list, Samples samples) {
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) == samples) {
        return i;
      }
    }
    return -1;
  }

  /** When the first observation was made, in whole milliseconds. */
  private long first() {
    long first = NONE;
    for (Samples samples : all) {
      Observations observations = samples.observations();
      for (int sample = 0; observations.size() > 0 && sample < samples.size(); sample++) {
        for (int i = 0; i < observations.count(sample); i++) {
          first = Math.min(first, observations.time(sample, i));
        }
      }
    }
    return first == NONE ? NONE : Math.floorDiv(first, 1_000_000) * 1_000_000;
  }

  /** Writes what all profiles share into the open object. */
  void write(JsonOut json, int maxRows) throws IOException {
    json.name("samples").beginArray();
    for (Samples samples : all) {
      SampleRows rows = rows(samples, maxRows / all.size());
      if (rows != null) {
        written.add(samples);
        rows.write(json);
      }
    }
    json.endArray();
    if (start != NONE) {
      json.name("start").value(start / 1_000_000);
    }
    PageColumns.texts(json, "threads", threads.keySet());
    if (!traces.names().isEmpty()) {
      PageColumns.texts(json, "traces", traces.names());
    }
  }

  /** Writes where a profile finds its rows into the profile's object. */
  void link(JsonOut json, Profile profile) throws IOException {
    int index = indexOf(written, profile.samples());
    if (index >= 0) {
      json.name("samples").value(index).name("column").value(profile.column());
    }
  }

  private @Nullable SampleRows rows(Samples samples, int most) {
    for (int sample = 0; sample < samples.size(); sample++) {
      for (int column = 0; column < samples.columns(); column++) {
        if (samples.sum(sample, column) < 0) {
          return null;
        }
      }
    }
    if (samples.size() > most || samples.isEmpty()) {
      return null;
    }
    if (!samples.isObserved()) {
      SampleRows rows = new SampleRows(samples.columns(), 0, samples.size());
      for (int sample = 0; sample < samples.size(); sample++) {
        rows.add(0, node(samples, sample), thread(samples, sample), trace(samples, sample));
        for (int column = 0; column < samples.columns(); column++) {
          rows.plus(column, samples.sum(sample, column));
        }
      }
      return rows;
    }
    long[][] ticks = ticks(samples);
    for (int grain : GRAINS) {
      int size = size(ticks, grain / TICK, most);
      if (size <= most) {
        return timed(samples, ticks, grain, size);
      }
    }
    return null;
  }

  /** By sample: the ticks of its observations in order, each with the observation's number. */
  private long[][] ticks(Samples samples) {
    Observations observations = samples.observations();
    long[][] ticks = new long[samples.size()][];
    for (int sample = 0; sample < ticks.length; sample++) {
      long[] own = new long[observations.count(sample)];
      for (int i = 0; i < own.length; i++) {
        long tick = (observations.time(sample, i) - start) / (TICK * 1_000_000L);
        own[i] = Math.min(tick, Integer.MAX_VALUE) << 32 | i;
      }
      Arrays.sort(own);
      ticks[sample] = own;
    }
    return ticks;
  }

  /** How many rows there are at a grain, or more than {@code most}. */
  private static int size(long[][] ticks, int grain, int most) {
    int size = 0;
    for (long[] own : ticks) {
      long before = -1;
      for (long tick : own) {
        long at = (tick >>> 32) / grain;
        size += at == before ? 0 : 1;
        before = at;
      }
      if (size > most) {
        return size;
      }
    }
    return size;
  }

  private SampleRows timed(Samples samples, long[][] ticks, int grain, int size) {
    Observations observations = samples.observations();
    SampleRows rows = new SampleRows(samples.columns(), grain, size);
    for (int sample = 0; sample < ticks.length; sample++) {
      int node = node(samples, sample);
      int thread = thread(samples, sample);
      int trace = trace(samples, sample);
      int before = -1;
      for (long tick : ticks[sample]) {
        int at = (int) (tick >>> 32) / (grain / TICK);
        if (at != before) {
          rows.add(at, node, thread, trace);
        }
        before = at;
        for (int column = 0; column < samples.columns(); column++) {
          rows.plus(column, observations.value(sample, (int) tick, column));
        }
      }
    }
    return rows;
  }

  private int node(Samples samples, int sample) {
    return nodes[samples.stack(sample)];
  }

  private int trace(Samples samples, int sample) {
    return traces.number(samples.link(sample));
  }

  private int thread(Samples samples, int sample) {
    String name = threadName.in(samples.attributeSet(sample));
    Integer known = threads.putIfAbsent(name, threads.size());
    return known == null ? threads.size() - 1 : known;
  }
}
