package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings are read as their own metadata describes them, whatever it describes. */
final class SchemasTest {
  private static final int SEEDS = 300;
  private static final int EVENTS = 60;

  @TempDir private Path directory;

  private final Map<String, Long> samples = new TreeMap<>();
  private final Map<String, Long> states = new TreeMap<>();
  private final Map<String, Long> memory = new TreeMap<>();

  private Path write(long seed) throws IOException {
    samples.clear();
    states.clear();
    memory.clear();
    Random random = new Random(seed);
    SchemaFile file = new SchemaFile(seed);
    file.type("jdk.types.Symbol", "string java.lang.String");
    String text = random.nextBoolean() ? "jdk.types.Symbol" : "java.lang.String";
    file.type("java.lang.Class", "name " + text);
    String name = random.nextBoolean() ? "jdk.types.Symbol" : "java.lang.String";
    file.type("jdk.types.Method", "type java.lang.Class", "name " + name, "descriptor " + text);
    file.type("jdk.types.FrameType", "description java.lang.String");
    file.type(
        "jdk.types.StackFrame",
        "method jdk.types.Method",
        "lineNumber " + (random.nextBoolean() ? "int" : "long"),
        "bytecodeIndex int",
        "type jdk.types.FrameType");
    file.type("jdk.types.StackTrace", "truncated boolean", "frames jdk.types.StackFrame[]");
    file.type("java.lang.Thread", "osName " + text, "javaName " + name, "javaThreadId long");
    file.type("jdk.types.ThreadState", "name " + text);
    file.type(
        "jdk.ExecutionSample",
        "startTime long",
        "sampledThread java.lang.Thread",
        "stackTrace jdk.types.StackTrace",
        "state jdk.types.ThreadState");
    file.type(
        "jdk.ObjectAllocationSample",
        "startTime long",
        "eventThread java.lang.Thread",
        "stackTrace jdk.types.StackTrace",
        "objectClass java.lang.Class",
        "weight long");
    for (int i = 0; i < EVENTS; i++) {
      add(file, random, i);
    }
    return Files.write(directory.resolve(seed + ".jfr"), file.bytes());
  }

  private static Object text(String value) {
    return Map.of("string", value);
  }

  private void add(SchemaFile file, Random lot, int i) throws IOException {
    // Half of the events are like others, as most are in a recording.
    Random random = lot.nextBoolean() ? lot : new Random(lot.nextInt(6));
    List<Object> frames = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int depth = random.nextInt(4); depth >= 0; depth--) {
      String type = "com/example/Type" + random.nextInt(3);
      String method = "method" + random.nextInt(4);
      int line = random.nextInt(300);
      frames.add(
          Map.of(
              "method",
              Map.of("type", named(type), "name", text(method), "descriptor", text("()V")),
              "lineNumber",
              line,
              "bytecodeIndex",
              7,
              "type",
              Map.of("description", "Interpreted")));
      expected.add(type.replace('/', '.') + "." + method + "()V:" + line);
    }
    int number = 1 + random.nextInt(3);
    Object thread =
        Map.of("osName", text("os"), "javaName", text("worker-" + number), "javaThreadId", number);
    Object trace = Map.of("truncated", false, "frames", frames);
    String key = "worker-" + number + "#" + number + " " + expected;
    Map<String, Object> values = new TreeMap<>();
    values.put("startTime", 1_000L * i);
    values.put("stackTrace", trace);
    if (random.nextBoolean()) {
      String state = "STATE_" + random.nextInt(2);
      values.put("sampledThread", thread);
      values.put("state", named(state));
      file.event("jdk.ExecutionSample", values);
      samples.merge(key, 1L, Long::sum);
      states.merge(state, 1L, Long::sum);
    } else {
      long weight = random.nextInt(100_000);
      values.put("eventThread", thread);
      values.put("objectClass", named("com/example/Object"));
      values.put("weight", weight);
      file.event("jdk.ObjectAllocationSample", values);
      memory.merge(key, weight, Long::sum);
    }
  }

  private static Object named(String name) {
    return Map.of("name", text(name));
  }

  private void expectAll(long seed) throws IOException {
    Conversion conversion = Recording.of(write(seed)).convert(Options.DEFAULT);
    assertThat(conversion.damages()).as("seed %s", seed).isEmpty();
    Profiles profiles = conversion.profiles();
    assertThat(Flattened.of(profiles, "cpu", "samples")).as("seed %s", seed).isEqualTo(samples);
    assertThat(Flattened.of(profiles, "alloc_sampled", "allocated_space"))
        .as("seed %s", seed)
        .isEqualTo(memory);
    Map<String, Long> found = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      for (int i = 0; profile.name().equals("cpu") && i < profile.samples().size(); i++) {
        int set = profile.samples().attributeSet(i);
        String state = Flattened.attribute(profiles.dictionary(), set, "thread.state");
        found.merge(state, profile.value(i), Long::sum);
      }
    }
    assertThat(found).as("seed %s", seed).isEqualTo(states);
  }

  @Test
  void eachSchemaIsReadAsItIsDescribed() throws IOException {
    for (long seed = 0; seed < SEEDS; seed++) {
      expectAll(seed);
    }
    expectAll(ThreadLocalRandom.current().nextLong());
  }

  /** Nothing but what the options of a conversion say may be thrown by a broken one. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void brokenSchemasEndInDamageOrOneError(long seed) throws IOException {
    byte[] whole = Files.readAllBytes(write(seed));
    Random random = new Random(seed);
    for (int round = 0; round < 100; round++) {
      byte[] broken = whole.clone();
      for (int i = 0; i < 1 + random.nextInt(4); i++) {
        broken[68 + random.nextInt(broken.length - 68)] = (byte) random.nextInt();
      }
      Path path = Files.write(directory.resolve("broken.jfr"), broken);
      try {
        Recording.of(path).convert(Options.DEFAULT);
      } catch (RecordingException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  }
}
