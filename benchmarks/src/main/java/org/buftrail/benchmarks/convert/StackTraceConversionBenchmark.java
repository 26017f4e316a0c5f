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

/** A stack trace, given as names and lines, becomes an entry of the stack table. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StackTraceConversionBenchmark {
  private static final int METHODS = 500;
  private static final int LINES = 40;

  /** Frames of a stack. */
  @Param({"5", "15", "30", "50"})
  public int stackDepth;

  /** Stacks that differ. */
  @Param({"1", "10", "100"})
  public int uniqueStacks;

  private final Dictionary dictionary = new Dictionary();
  private final byte[][] methods = new byte[METHODS][];
  private int[][] stacks = new int[0][];
  private int[] locations = new int[0];
  private int next;

  /** Makes the stacks. */
  @Setup
  public void prepare() {
    Random random = new Random(11);
    for (int i = 0; i < METHODS; i++) {
      methods[i] = ("com.example.Component" + i + ".handle").getBytes(StandardCharsets.UTF_8);
    }
    stacks = new int[uniqueStacks][2 * stackDepth];
    for (int[] stack : stacks) {
      for (int k = 0; k < stackDepth; k++) {
        stack[2 * k] = random.nextInt(METHODS);
        stack[2 * k + 1] = 1 + random.nextInt(LINES);
      }
    }
    locations = new int[stackDepth];
  }

  /** Names to functions, functions to locations, locations to a stack. */
  @Benchmark
  public int convertStackTrace() {
    int[] stack = stacks[next];
    next = next + 1 == uniqueStacks ? 0 : next + 1;
    int type = dictionary.frameType("jvm");
    for (int k = 0; k < stackDepth; k++) {
      byte[] method = methods[stack[2 * k]];
      int name = dictionary.strings().intern(method, 0, method.length);
      int function = dictionary.functions().intern(name, 0, 0, 0);
      locations[k] = dictionary.locations().intern(function, stack[2 * k + 1], type);
    }
    return dictionary.stacks().intern(locations, 0, stackDepth);
  }
}
