package org.buftrail.profile.html;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
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
    Map<Integer, Integer> numbers = new HashMap<>();
    for (int stack : stacks) {
      numbers.put(stack, numbers.size());
    }
    int[] stackOfRow = new int[size];
    boolean anyTrace = false;
    for (int row = 0; row < size; row++) {
      stackOfRow[row] = numbers.getOrDefault(nodes[row], 0);
      anyTrace |= traces[row] != 0;
    }
    json.beginObject();
    PageColumns.column(json, "stacks", stacks.length, i -> stacks[i]);
    packed(json, "stack", order, stackOfRow);
    packed(json, "thread", order, threads);
    if (anyTrace) {
      packed(json, "trace", order, traces);
    }
    if (grain > 0) {
      json.name("grain").value(grain).name("time").value(steps(order));
    }
    json.name("values").beginArray();
    for (long[] column : values) {
      PackedNumbers packed = new PackedNumbers(size);
      for (int row : order) {
        packed.add(column[row]);
      }
      json.value(packed.toString());
    }
    json.endArray().endObject();
  }

  private static void packed(JsonOut json, String name, int[] order, int[] column)
      throws IOException {
    PackedNumbers packed = new PackedNumbers(order.length);
    for (int row : order) {
      packed.add(column[row]);
    }
    json.name(name).value(packed.toString());
  }

  /** The times of the rows, each from the one before. */
  private String steps(int[] order) {
    PackedNumbers packed = new PackedNumbers(order.length);
    int before = 0;
    for (int i = 0; i < order.length; i++) {
      int time = times[order[i]];
      packed.add(time - before);
      before = time;
    }
    return packed.toString();
  }

  private int[] order() {
    long[] sorted = new long[size];
    for (int row = 0; row < size; row++) {
      sorted[row] = (long) times[row] << 32 | row;
    }
    Arrays.sort(sorted);
    return low(sorted);
  }

  private static int[] low(long[] keys) {
    int[] low = new int[keys.length];
    for (int i = 0; i < low.length; i++) {
      low[i] = (int) keys[i];
    }
    return low;
  }

  /** The nodes that rows have, that of most rows first, and of equal ones that of the first row. */
  private int[] byRows() {
    Map<Integer, Integer> places = new HashMap<>();
    int[] met = new int[size];
    int[] counts = new int[size];
    for (int row = 0; row < size; row++) {
      int place = places.getOrDefault(nodes[row], places.size());
      if (place == places.size()) {
        places.put(nodes[row], place);
        met[place] = nodes[row];
      }
      counts[place]++;
    }
    long[] sorted = new long[places.size()];
    for (int place = 0; place < sorted.length; place++) {
      sorted[place] = (long) (Integer.MAX_VALUE - counts[place]) << 32 | place;
    }
    Arrays.sort(sorted);
    int[] ordered = low(sorted);
    for (int i = 0; i < ordered.length; i++) {
      ordered[i] = met[ordered[i]];
    }
    return ordered;
  }
}
