package org.buftrail.benchmarks.fleet;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.buftrail.benchmarks.convert.ChunkBytes;
import org.buftrail.benchmarks.convert.MetadataTree;
import org.buftrail.benchmarks.convert.SampleTypes;

/** A recording of a service: who it is, and samples of its methods, evenly over its time. */
final class FleetRecording {
  private static final int HEADER = 68;
  private static final int ENVIRONMENT = 101;
  private static final int JVM = 102;
  private static final int THREADS = 8;
  private static final int CALLERS = 2;
  private static final List<String> CALLER_NAMES = List.of("handle", "run");

  private final ChunkBytes out = new ChunkBytes();
  private final String service;
  private final List<String> methods;

  private FleetRecording(String service, List<String> methods) {
    this.service = service;
    this.methods = methods;
  }

  /**
   * Makes a recording.
   *
   * @param samples of each method, by its name in the service's class
   */
  static byte[] of(
      String service,
      String host,
      long process,
      Instant start,
      long minutes,
      List<String> methods,
      int[] samples) {
    FleetRecording recording = new FleetRecording(service, methods);
    recording.write(host, process, start, TimeUnit.MINUTES.toNanos(minutes), samples);
    return recording.out.toByteArray();
  }

  private void write(String host, long process, Instant start, long nanos, int[] samples) {
    for (int i = 0; i < HEADER; i++) {
      out.raw(0);
    }
    writeProcess(host, process);
    writeSamples(nanos, samples);
    int checkpoint = out.size();
    int begun = out.begin(1);
    out.varint(0).varint(0).varint(0).raw(0).varint(7);
    writeConstants();
    out.end(begun);
    int metadata = out.size();
    begun = out.begin(0);
    out.varint(0).varint(0).varint(1);
    types().write(out);
    out.end(begun);
    long epoch = TimeUnit.SECONDS.toNanos(start.getEpochSecond()) + start.getNano();
    out.header(checkpoint, metadata, epoch, nanos);
  }

  private static MetadataTree types() {
    return SampleTypes.tree()
        .event(ENVIRONMENT, "jdk.InitialEnvironmentVariable")
        .field("startTime", SampleTypes.LONG)
        .field("key", SampleTypes.STRING)
        .field("value", SampleTypes.STRING)
        .event(JVM, "jdk.JVMInformation")
        .field("startTime", SampleTypes.LONG)
        .field("jvmName", SampleTypes.STRING)
        .field("jvmVersion", SampleTypes.STRING)
        .field("jvmArguments", SampleTypes.STRING)
        .field("javaArguments", SampleTypes.STRING)
        .field("pid", SampleTypes.LONG);
  }

  private void writeProcess(String host, long process) {
    writeVariable("OTEL_SERVICE_NAME", service);
    writeVariable("HOSTNAME", host);
    int start = out.begin(JVM);
    out.varint(1).string("OpenJDK 64-Bit Server VM").string("21").string("");
    out.string(service + ".jar").varint(process);
    out.end(start);
  }

  private void writeVariable(String name, String value) {
    int start = out.begin(ENVIRONMENT);
    out.varint(1).string(name).string(value);
    out.end(start);
  }

  /** In turn, so that each method is seen all the time. */
  private void writeSamples(long nanos, int[] samples) {
    int count = Arrays.stream(samples).sum();
    int[] left = samples.clone();
    long between = nanos / (count + 1);
    int written = 0;
    while (written < count) {
      for (int method = 0; method < left.length; method++) {
        if (left[method]-- > 0) {
          int start = out.begin(SampleTypes.SAMPLE);
          out.varint(++written * between).varint(1 + written % THREADS);
          out.varint(1 + method).varint(1);
          out.end(start);
        }
      }
    }
  }

  private void writeConstants() {
    pool(SampleTypes.FRAME_TYPE, 1);
    out.varint(1).string("JIT compiled");
    pool(SampleTypes.STATE, 1);
    out.varint(1).string("STATE_RUNNABLE");
    pool(SampleTypes.THREAD, THREADS);
    for (int thread = 1; thread <= THREADS; thread++) {
      out.varint(thread).string("worker-" + thread).varint(1000 + thread);
      out.string("worker-" + thread).varint(thread);
    }
    int names = methods.size() + CALLERS;
    pool(SampleTypes.TRACE, methods.size());
    for (int method = 0; method < methods.size(); method++) {
      out.varint(1 + method).raw(0).varint(1 + CALLERS);
      writeFrame(method);
      for (int caller = 0; caller < CALLERS; caller++) {
        writeFrame(methods.size() + caller);
      }
    }
    pool(SampleTypes.CLASS, 1);
    out.varint(1).varint(0).varint(names + 1).varint(0).varint(1).raw(0);
    pool(SampleTypes.METHOD, names);
    for (int name = 1; name <= names; name++) {
      out.varint(name).varint(1).varint(name).varint(names + 2).varint(1).raw(0);
    }
    writeSymbols(names);
  }

  private void writeFrame(int method) {
    out.varint(1 + method).varint(10L * (1 + method)).varint(7).varint(1);
  }

  private void writeSymbols(int names) {
    pool(SampleTypes.SYMBOL, names + 2);
    for (int method = 0; method < methods.size(); method++) {
      out.varint(1 + method).string(methods.get(method));
    }
    for (int caller = 0; caller < CALLERS; caller++) {
      out.varint(1 + methods.size() + caller).string(CALLER_NAMES.get(caller));
    }
    out.varint(names + 1).string("com/example/" + service + "/Service");
    out.varint(names + 2).string("()V");
  }

  private void pool(int type, int count) {
    out.varint(type).varint(count);
  }
}
