package org.buftrail.benchmarks.convert;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.buftrail.profile.dictionary.Dictionary;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One look-up in one table. Entries come in a fixed order in which the wanted part of them has come
 * before; when all have come, the dictionary is emptied and keeps its memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DictionaryTableBenchmark {
  private static final int DEPTH = 20;

  /** Entries that differ. */
  @Param({"100", "1000", "10000"})
  public int uniqueEntries;

  /** Which part of the look-ups finds its entry there. */
  @Param({"0.0", "0.5", "0.95"})
  public double hitRate;

  private final Dictionary dictionary = new Dictionary();
  private int[] order = new int[0];
  private byte[][] names = new byte[0][];
  private String[] strings = new String[0];
  private int[][] stacks = new int[0][];
  private int next;

  /** Puts the entries in order. */
  @Setup
  public void prepare() {
    Random random = new Random(7);
    names = new byte[uniqueEntries][];
    strings = new String[uniqueEntries];
    stacks = new int[uniqueEntries][DEPTH];
    for (int i = 0; i < uniqueEntries; i++) {
      strings[i] = "com.example.service.Component" + i + ".handleRequest";
      names[i] = strings[i].getBytes(StandardCharsets.UTF_8);
      for (int k = 0; k < DEPTH; k++) {
        stacks[i][k] = 1 + random.nextInt(uniqueEntries);
      }
      stacks[i][0] = 1 + i;
    }
    order = new int[(int) Math.round(uniqueEntries / (1 - hitRate))];
    int fresh = 0;
    for (int i = 0; i < order.length; i++) {
      boolean isNew = fresh == 0 || (long) (i + 1) * uniqueEntries / order.length > fresh;
      order[i] = isNew && fresh < uniqueEntries ? fresh++ : random.nextInt(fresh);
    }
    if (fresh != uniqueEntries) {
      throw new IllegalStateException(fresh + " entries in place of " + uniqueEntries);
    }
  }

  private int next() {
    if (next == order.length) {
      next = 0;
      dictionary.clear();
    }
    return order[next++];
  }

  /** A string, given as UTF-8. */
  @Benchmark
  public int internString() {
    byte[] name = names[next()];
    return dictionary.strings().intern(name, 0, name.length);
  }

  /** A string, given as an object. */
  @Benchmark
  public int internStringObject() {
    return dictionary.strings().intern(strings[next()]);
  }

  /** A function. */
  @Benchmark
  public int internFunction() {
    return dictionary.functions().intern(1 + next(), 3, 0, 0);
  }

  /** A location. */
  @Benchmark
  public int internLocation() {
    int entry = next();
    return dictionary.locations().intern(1 + entry / 4, 1 + entry % 4, 1);
  }

  /** A stack of 20 frames. */
  @Benchmark
  public int internStack() {
    return dictionary.stacks().intern(stacks[next()], 0, DEPTH);
  }

  /** A link. */
  @Benchmark
  public int internLink() {
    int entry = next();
    return dictionary.links().intern(0, entry / 8 + 1, entry + 1L);
  }

  /** An attribute. */
  @Benchmark
  public int internAttribute() {
    return dictionary.attributes().internLong(1, next(), 0);
  }
}
