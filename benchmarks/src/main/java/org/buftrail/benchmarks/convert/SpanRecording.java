package org.buftrail.benchmarks.convert;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.openjdk.jmc.flightrecorder.writer.api.Recordings;
import org.openjdk.jmc.flightrecorder.writer.api.Type;
import org.openjdk.jmc.flightrecorder.writer.api.TypedValue;
import org.openjdk.jmc.flightrecorder.writer.api.Types;

/** Recordings of {@code datadog.ExecutionSample} by JDK Mission Control's writer. */
final class SpanRecording {
  private static final int METHODS = 50;
  private static final int CLASSES = 200;
  private static final int LINES = 300;

  private SpanRecording() {}

  static void write(Path file, int events, int depth, int contexts, int duplication)
      throws IOException {
    Random random = new Random(3);
    try (var recording =
        Recordings.newRecording(file, settings -> settings.withJdkTypeInitialization())) {
      Types types = recording.getTypes();
      Type event =
          recording.registerEventType(
              "datadog.ExecutionSample",
              type ->
                  type.addField("spanId", Types.Builtin.LONG)
                      .addField("localRootSpanId", Types.Builtin.LONG));
      List<TypedValue> stacks = new ArrayList<>();
      int distinct = Math.max(1, events * (100 - duplication) / 100);
      for (int i = 0; i < events; i++) {
        if (i < distinct) {
          stacks.add(stack(types, random, depth));
        }
        TypedValue stack = stacks.get(i < distinct ? i : random.nextInt(distinct));
        long span = 1L + i % contexts;
        long ticks = System.nanoTime();
        recording.writeEvent(
            event.asValue(
                fields ->
                    fields
                        .putField("startTime", ticks)
                        .putField("spanId", span)
                        .putField("localRootSpanId", span)
                        .putField("eventThread", thread -> thread.putField("javaName", "worker"))
                        .putField("stackTrace", stack)));
      }
    }
  }

  private static TypedValue stack(Types types, Random random, int depth) {
    Type frames = types.getType(Types.JDK.STACK_FRAME);
    TypedValue[] values = new TypedValue[depth];
    for (int i = 0; i < depth; i++) {
      String type = "com/example/Class" + random.nextInt(CLASSES);
      String method = "method" + random.nextInt(METHODS);
      int line = 1 + random.nextInt(LINES);
      values[i] =
          frames.asValue(
              frame ->
                  frame
                      .putField("lineNumber", line)
                      .putField("bytecodeIndex", 0)
                      .putField("type", kind -> kind.putField("description", "JIT compiled"))
                      .putField(
                          "method",
                          fields ->
                              fields
                                  .putField("name", name -> name.putField("string", method))
                                  .putField("descriptor", name -> name.putField("string", "()V"))
                                  .putField(
                                      "type",
                                      holder ->
                                          holder.putField(
                                              "name", name -> name.putField("string", type)))));
    }
    return types
        .getType(Types.JDK.STACK_TRACE)
        .asValue(trace -> trace.putField("truncated", false).putField("frames", values));
  }
}
