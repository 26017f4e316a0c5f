package org.buftrail.benchmarks.convert;

import static org.buftrail.benchmarks.convert.SampleTypes.CLASS;
import static org.buftrail.benchmarks.convert.SampleTypes.FRAME_TYPE;
import static org.buftrail.benchmarks.convert.SampleTypes.METHOD;
import static org.buftrail.benchmarks.convert.SampleTypes.SAMPLE;
import static org.buftrail.benchmarks.convert.SampleTypes.STATE;
import static org.buftrail.benchmarks.convert.SampleTypes.SYMBOL;
import static org.buftrail.benchmarks.convert.SampleTypes.THREAD;
import static org.buftrail.benchmarks.convert.SampleTypes.TRACE;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/**
 * A recording of {@code jdk.ExecutionSample} events in one chunk, encoded as HotSpot encodes:
 * frames from 200 classes with 50 methods each, at random lines; of constants those that something
 * names, first the stack traces and then, in a checkpoint of their own, what they name. The same in
 * every run.
 */
final class SyntheticRecording {
  private static final int HEADER = 68;
  private static final int CLASSES = 200;
  private static final int METHODS = 50;
  private static final int LINES = 1000;
  private static final int BYTECODE_INDICES = 200;
  private static final long START = 1_700_000_000_000_000_000L;
  private static final long TICKS_BETWEEN = 1_000_000;

  private final Random random = new Random(42);
  private final ChunkBytes out = new ChunkBytes();
  private final List<int[]> stacks = new ArrayList<>();
  private final int[] stackOf;
  private final int contexts;
  private final BitSet methods = new BitSet();
  private final BitSet classes = new BitSet();

  private SyntheticRecording(int events, int depth, int contexts, int duplication) {
    this.contexts = contexts;
    this.stackOf = new int[events];
    for (int event = 0; event < events; event++) {
      if (event == 0 || random.nextInt(100) >= duplication) {
        stackOf[event] = stacks.size();
        stacks.add(stack(depth));
      } else {
        stackOf[event] = random.nextInt(stacks.size());
      }
    }
  }

  /**
   * Makes a recording.
   *
   * @param events number of samples
   * @param depth frames of each
   * @param contexts threads that the samples are spread over
   * @param duplication percent of the samples that have the stack of an earlier one
   */
  static byte[] of(int events, int depth, int contexts, int duplication) {
    SyntheticRecording recording = new SyntheticRecording(events, depth, contexts, duplication);
    recording.write();
    return recording.out.toByteArray();
  }

  private int[] stack(int depth) {
    int[] frames = new int[3 * depth];
    for (int i = 0; i < depth; i++) {
      int method = random.nextInt(CLASSES * METHODS);
      methods.set(method);
      classes.set(method / METHODS);
      frames[3 * i] = method;
      frames[3 * i + 1] = 1 + random.nextInt(LINES);
      frames[3 * i + 2] = random.nextInt(BYTECODE_INDICES);
    }
    return frames;
  }

  private void write() {
    for (int i = 0; i < HEADER; i++) {
      out.raw(0);
    }
    writeEvents();
    int statics = out.size();
    int start = beginCheckpoint(0, 3);
    writeStatics();
    out.end(start);
    int traces = out.size();
    start = beginCheckpoint(statics, 1);
    writeStackTraces();
    out.end(start);
    int typeSet = out.size();
    start = beginCheckpoint(traces, 3);
    writeTypeSet();
    out.end(start);
    int metadata = out.size();
    writeMetadata();
    out.header(typeSet, metadata, START, (stackOf.length + 2) * TICKS_BETWEEN);
  }

  private void writeEvents() {
    for (int event = 0; event < stackOf.length; event++) {
      int start = out.begin(SAMPLE);
      out.varint((event + 1) * TICKS_BETWEEN).varint(1 + event % contexts);
      out.varint(stackOf[event] + 1).varint(1);
      out.end(start);
    }
  }

  /** Begins the checkpoint that follows another, at 0 if it is the first. */
  private int beginCheckpoint(int before, int pools) {
    int at = out.size();
    int start = out.begin(1);
    out.varint(0).varint(0).varint(before == 0 ? 0 : before - at).raw(0).varint(pools);
    return start;
  }

  private void writeStackTraces() {
    pool(TRACE, stacks.size());
    for (int stack = 0; stack < stacks.size(); stack++) {
      int[] frames = stacks.get(stack);
      out.varint(stack + 1).raw(0).varint(frames.length / 3);
      for (int i = 0; i < frames.length; i += 3) {
        out.varint(methodKey(frames[i])).varint(frames[i + 1]).varint(frames[i + 2]).varint(1);
      }
    }
  }

  private void writeTypeSet() {
    pool(CLASS, classes.cardinality());
    classes.stream().map(i -> i + 1).forEach(this::writeClass);
    pool(METHOD, methods.cardinality());
    methods.stream().forEach(this::writeMethod);
    writeSymbols();
  }

  private void writeClass(int type) {
    out.varint(type).varint(0).varint(type).varint(0).varint(1).raw(0);
  }

  private void writeMethod(int method) {
    out.varint(methodKey(method)).varint(1 + method / METHODS);
    out.varint(CLASSES + 1 + method % METHODS);
    out.varint(CLASSES + METHODS + 1).varint(1).raw(0);
  }

  private void writeStatics() {
    pool(FRAME_TYPE, 1);
    out.varint(1).string("JIT compiled");
    pool(STATE, 1);
    out.varint(1).string("STATE_RUNNABLE");
    int threads = Math.min(contexts, stackOf.length);
    pool(THREAD, threads);
    for (int thread = 1; thread <= threads; thread++) {
      out.varint(thread).string("worker-" + thread).varint(1000 + thread);
      out.string("worker-" + thread).varint(thread);
    }
  }

  private void writeSymbols() {
    int[] names = methods.stream().map(method -> method % METHODS).distinct().toArray();
    pool(SYMBOL, classes.cardinality() + names.length + 1);
    classes.stream().map(i -> i + 1).forEach(this::writeClassName);
    for (int name : names) {
      out.varint(CLASSES + 1 + name).string("handleRequest" + (name + 1));
    }
    out.varint(CLASSES + METHODS + 1).string("(Ljava/lang/String;I)V");
  }

  private void writeClassName(int type) {
    out.varint(type).string("com/example/service/part" + type % 10 + "/Component" + type);
  }

  private void pool(int type, int count) {
    out.varint(type).varint(count);
  }

  /** As HotSpot numbers methods: by class and number within it. */
  private static long methodKey(int method) {
    return ((long) (100 + method / METHODS) << 16) | (1 + method % METHODS);
  }

  private void writeMetadata() {
    int start = out.begin(0);
    out.varint(0).varint(0).varint(1);
    SampleTypes.tree().write(out);
    out.end(start);
  }
}
