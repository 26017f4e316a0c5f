package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmc.common.IMCFrame;
import org.openjdk.jmc.common.IMCMethod;
import org.openjdk.jmc.common.IMCStackTrace;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.common.item.IMemberAccessor;
import org.openjdk.jmc.flightrecorder.CouldNotLoadRecordingException;
import org.openjdk.jmc.flightrecorder.JfrAttributes;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;
import org.openjdk.jmc.flightrecorder.writer.api.Recordings;
import org.openjdk.jmc.flightrecorder.writer.api.Type;
import org.openjdk.jmc.flightrecorder.writer.api.TypedValue;
import org.openjdk.jmc.flightrecorder.writer.api.TypedValueBuilder;
import org.openjdk.jmc.flightrecorder.writer.api.Types;

/** Recordings of JDK Mission Control's writer, which has constants where HotSpot has values. */
final class JmcWriterTest {
  private static final int EVENTS = 200;

  @TempDir private Path directory;
  private Path recording = Path.of("");

  @BeforeEach
  void write() throws IOException {
    recording = directory.resolve("jmc.jfr");
    write(recording);
  }

  /** Writes samples with stacks and spans. */
  static void write(Path recording) throws IOException {
    Random random = new Random(7);
    try (var file =
        Recordings.newRecording(
            recording, settings -> settings.withTimestamp(1).withJdkTypeInitialization())) {
      Types types = file.getTypes();
      Type stacks = types.getType(Types.JDK.STACK_TRACE);
      Type event =
          file.registerEventType(
              "datadog.ExecutionSample",
              type ->
                  type.addField("weight", Types.Builtin.LONG)
                      .addField("spanId", Types.Builtin.LONG)
                      .addField("localRootSpanId", Types.Builtin.LONG));
      for (int i = 0; i < EVENTS; i++) {
        int number = i;
        int depth = 1 + random.nextInt(8);
        file.writeEvent(
            event.asValue(
                fields ->
                    fields
                        .putField("startTime", 1_000L + number)
                        .putField("weight", 1L)
                        .putField("spanId", 1L + number % 3)
                        .putField("localRootSpanId", 9L)
                        .putField(
                            "eventThread",
                            thread ->
                                thread
                                    .putField("javaName", "worker-" + number % 3)
                                    .putField("osName", "os")
                                    .putField("osThreadId", 100L)
                                    .putField("javaThreadId", 1L + number % 3))
                        .putField(
                            "stackTrace",
                            stacks.asValue(trace -> putFrames(trace, types, random, depth)))));
      }
    }
  }

  private static void putFrames(TypedValueBuilder trace, Types types, Random random, int depth) {
    Type frames = types.getType(Types.JDK.STACK_FRAME);
    TypedValue[] values = new TypedValue[depth];
    for (int i = 0; i < depth; i++) {
      int method = random.nextInt(5);
      int line = random.nextInt(50);
      values[i] =
          frames.asValue(
              frame ->
                  frame
                      .putField("lineNumber", line)
                      .putField("bytecodeIndex", 3)
                      .putField("type", type -> type.putField("description", "Interpreted"))
                      .putField("method", value -> putMethod(value, method)));
    }
    trace.putField("truncated", false).putField("frames", values);
  }

  private static void putMethod(TypedValueBuilder method, int number) {
    method
        .putField("name", name -> name.putField("string", "method" + number))
        .putField("descriptor", descriptor -> descriptor.putField("string", "()V"))
        .putField(
            "type",
            type ->
                type.putField(
                    "name", name -> name.putField("string", "com/example/Type" + number / 2)));
  }

  @Test
  void everyStackIsAsMissionControlReadsIt() throws Exception {
    Conversion conversion = Recording.of(recording).convert(Options.DEFAULT);
    assertThat(conversion.damages()).isEmpty();
    Map<String, Long> expected = byMissionControl();
    Map<String, Long> found = new TreeMap<>();
    // Its reader gives no ids of threads that were not started by Java.
    Flattened.of(conversion.profiles(), "cpu_datadog", "samples")
        .forEach((key, value) -> found.merge(key.replaceFirst("#\\d+", ""), value, Long::sum));
    assertThat(found).isEqualTo(expected).hasSizeGreaterThan(EVENTS / 2);
  }

  @Test
  void spansAreLinks() throws IOException {
    Profiles profiles = Recording.of(recording).convert(Options.DEFAULT).profiles();
    Map<Long, Long> spans = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      for (int i = 0; i < profile.samples().size(); i++) {
        int link = profile.samples().link(i);
        spans.merge(profiles.dictionary().links().span(link), profile.value(i), Long::sum);
      }
    }
    assertThat(spans).isEqualTo(Map.of(1L, 67L, 2L, 67L, 3L, 66L));
  }

  private Map<String, Long> byMissionControl() throws IOException, CouldNotLoadRecordingException {
    Map<String, Long> sums = new TreeMap<>();
    for (IItemIterable items : JfrLoaderToolkit.loadEvents(recording.toFile())) {
      if (!items.getType().getIdentifier().equals("datadog.ExecutionSample")) {
        continue;
      }
      IMemberAccessor<IMCStackTrace, IItem> stacks =
          JfrAttributes.EVENT_STACKTRACE.getAccessor(items.getType());
      for (IItem item : items) {
        List<String> frames = new ArrayList<>();
        for (IMCFrame frame : stacks.getMember(item).getFrames()) {
          IMCMethod method = frame.getMethod();
          frames.add(
              method.getType().getFullName()
                  + "."
                  + method.getMethodName()
                  + method.getFormalDescriptor()
                  + ":"
                  + frame.getFrameLineNumber());
        }
        var thread = JfrAttributes.EVENT_THREAD.getAccessor(items.getType()).getMember(item);
        sums.merge(thread.getThreadName() + " " + frames, 1L, Long::sum);
      }
    }
    return sums;
  }
}
