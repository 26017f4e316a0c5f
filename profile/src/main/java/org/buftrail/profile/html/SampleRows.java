package org.buftrail.profile.html;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.buftrail.profile.Samples;
import org.buftrail.profile.json.JsonOut;

/**
 * The rows of one kind of samples: when, in which stack, in which thread, for which trace, and the
 * values.
 */
final class SampleRows {
  private final int grain;
  private final int[] times;
  private final int[] nodes;
  private final int[] threads;
  private final int[] traces;
  private final long[][] values;
  private int size;

  /**
   * @param columns values of each row, 1 or 2
   * @param grain milliseconds of one step of time; 0 where no times are known
   * @param capacity number of rows at most
   */
  SampleRows(int columns, int grain, int capacity) {
    this.grain = grain;
    this.times = new int[capacity];
    this.nodes = new int[capacity];
    this.threads = new int[capacity];
    this.traces = new int[capacity];
    this.values = new long[columns][capacity];
  }

  /** Begins a row, whose values are 0. */
  void add(int time, int node, int thread, int trace) {
    times[size] = time;
    nodes[size] = node;
    threads[size] = thread;
    traces[size] = trace;
    size++;
  }

  /** Adds to a value of the row that was begun last. */
  void plus(int column, long value) {
    values[column][size - 1] = Samples.plus(values[column][size - 1], value);
  }

  /** Writes one object, its rows in the order of time. Busy stacks have small numbers. */
  void write(JsonOut json) throws IOException {
    int[] order = order();
    int[] stacks = byRows();
    Map<Integer, Integer> numbers = new LinkedHashMap<>();
    for (int stack : stacks) {
      numbers.put(stack, numbers.size());
    }
    json.beginObject();
    PageColumns.column(json, "stacks", stacks.length, i -> stacks[i]);
    packed(json, "stack", i -> numbers.getOrDefault(nodes[order[i]], 0));
    packed(json, "thread", i -> threads[order[i]]);
    if (Arrays.stream(traces, 0, size).anyMatch(trace -> trace != 0)) {
      packed(json, "trace", i -> traces[order[i]]);
    }
    if (grain > 0) {
      json.name("grain").value(grain);
      packed(json, "time", i -> times[order[i]] - (i == 0 ? 0 : times[order[i - 1]]));
    }
    json.name("values").beginArray();
    for (long[] column : values) {
      json.value(PackedNumbers.of(size, i -> column[order[i]]));
    }
    json.endArray().endObject();
  }

  private void packed(JsonOut json, String name, PageColumns.Column column) throws IOException {
    json.name(name).value(PackedNumbers.of(size, column));
  }

  private int[] order() {
    long[] sorted = new long[size];
    Arrays.setAll(sorted, row -> (long) times[row] << 32 | row);
    Arrays.sort(sorted);
    return Arrays.stream(sorted).mapToInt(key -> (int) key).toArray();
  }

  /** The nodes that rows have, that of most rows first. */
  private int[] byRows() {
    Map<Integer, Integer> counts = new LinkedHashMap<>();
    for (int row = 0; row < size; row++) {
      counts.merge(nodes[row], 1, Integer::sum);
    }
    return counts.entrySet().stream()
        .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
        .mapToInt(Map.Entry::getKey)
        .toArray();
  }
}
