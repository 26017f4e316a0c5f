package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a contextual event says is said of each event of its thread that lies in it. */
final class ContextsTest {
  private static final String SCOPE = "io.opentelemetry.context.Scope";
  private static final String ORDER = "shop.Order";
  private static final String SAMPLE = "jdk.ExecutionSample";

  @TempDir private Path directory;

  private static Map<String, Object> thread(int number) {
    return Map.of("javaName", "worker-" + number, "javaThreadId", number);
  }

  private static SchemaFile file(long seed) {
    return new SchemaFile(seed)
        .type("java.lang.Thread", "javaName java.lang.String", "javaThreadId long")
        .type(SAMPLE, "startTime long", "sampledThread *java.lang.Thread")
        .type(
            SCOPE,
            "startTime long",
            "duration long",
            "eventThread *java.lang.Thread",
            "traceId java.lang.String",
            "spanId java.lang.String")
        .type(
            ORDER,
            "startTime long",
            "duration long",
            "eventThread *java.lang.Thread",
            "tenant java.lang.String",
            "id long");
  }

  private static void context(
      SchemaFile file, String type, int thread, long start, long end, Map<String, Object> says)
      throws IOException {
    Map<String, Object> values = new TreeMap<>(says);
    values.put("startTime", start);
    values.put("duration", end - start);
    values.put("eventThread", thread(thread));
    file.event(type, values);
  }

  private Map<String, Long> converted(SchemaFile file) throws IOException {
    Path path = Files.write(directory.resolve("made.jfr"), file.bytes());
    Conversion conversion = Recording.of(path).convert(Options.DEFAULT);
    assertThat(conversion.damages()).isEmpty();
    Profiles profiles = conversion.profiles();
    Map<String, Long> found = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      Samples samples = profile.samples();
      for (int i = 0; i < samples.size(); i++) {
        int link = samples.link(i);
        String key =
            Flattened.attribute(profiles.dictionary(), samples.attributeSet(i), "thread.name")
                + " "
                + Flattened.attribute(
                    profiles.dictionary(), samples.attributeSet(i), "shop.Order.tenant")
                + " "
                + Flattened.attribute(
                    profiles.dictionary(), samples.attributeSet(i), "shop.Order.id")
                + " "
                + profiles.dictionary().links().traceLow(link)
                + "/"
                + profiles.dictionary().links().span(link);
        found.merge(key, profile.value(i), Long::sum);
      }
    }
    return found;
  }

  private static Map<String, Object> scope(int number) {
    return Map.of(
        "traceId", String.format("%032x", number), "spanId", String.format("%016x", number + 100));
  }

  @Test
  void fieldsBecomeAttributesAndScopesBecomeLinks() throws IOException {
    for (long seed = 0; seed < 40; seed++) {
      SchemaFile file = file(seed).contextual("traceId").contextual("tenant").contextual("id");
      for (int at : List.of(5, 15, 25, 35)) {
        file.event(SAMPLE, Map.of("startTime", at, "sampledThread", thread(1)));
        file.event(SAMPLE, Map.of("startTime", at, "sampledThread", thread(2)));
      }
      context(file, ORDER, 1, 20, 30, Map.of("tenant", "inner", "id", 8));
      context(file, ORDER, 1, 10, 40, Map.of("tenant", "outer", "id", 7));
      context(file, SCOPE, 1, 12, 30, scope(3));
      assertThat(converted(file))
          .as("seed %s", seed)
          .isEqualTo(
              Map.of(
                  "worker-1 null null 0/0",
                  1L,
                  "worker-1 outer 7 3/103",
                  1L,
                  "worker-1 inner 8 3/103",
                  1L,
                  "worker-1 outer 7 0/0",
                  1L,
                  "worker-2 null null 0/0",
                  4L));
    }
  }

  @Test
  void whatIsNotMarkedSaysNothingOfOthers() throws IOException {
    SchemaFile file = file(1);
    file.event(SAMPLE, Map.of("startTime", 15, "sampledThread", thread(1)));
    context(file, ORDER, 1, 10, 40, Map.of("tenant", "outer", "id", 7));
    assertThat(converted(file)).isEqualTo(Map.of("worker-1 null null 0/0", 1L));
  }
}
