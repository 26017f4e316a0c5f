package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The times and threads of a recording's page, beside what the JDK's own reader finds. */
final class HeatmapTest {
  private static final Path PACKED =
      Path.of("../jfr/src/test/resources/recordings/async-profiler.jfr.gz");

  @TempDir private Path directory;
  private Path recording = Path.of("");

  @BeforeEach
  void unpack() throws IOException {
    recording = directory.resolve("a.jfr");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(PACKED))) {
      Files.copy(in, recording);
    }
  }

  @Test
  void aHeatmapHasEachSampleInItsPlace() throws IOException {
    Run run = Run.of("convert", "-o", "heatmap", recording.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode model = model(directory.resolve("a.heatmap.html"));
    assertThat(model.get("open").asText()).isEqualTo("heatmap");

    long start = model.get("start").asLong();
    Map<String, Long> expected = new TreeMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
      if (event.getEventType().getName().equals("jdk.ExecutionSample")) {
        long tenth = (event.getStartTime().toEpochMilli() - start) / 100;
        RecordedThread thread = event.getThread("sampledThread");
        String name = thread.getJavaName() == null ? thread.getOSName() : thread.getJavaName();
        expected.merge(tenth + " " + name, 1L, Long::sum);
      }
    }
    assertThat(expected).hasSizeGreaterThan(5);
    assertThat(found(model, "cpu")).isEqualTo(expected);
  }

  @Test
  void aPageHasThemTooAndOpensOnTheFlameGraph() throws IOException {
    Path page = directory.resolve("a.html");
    assertThat(Run.of("convert", recording.toString(), "-o", page.toString()).exit()).isZero();
    JsonNode model = model(page);
    assertThat(model.has("open")).isFalse();
    assertThat(found(model, "wall").values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(1789);
  }

  @Test
  void otherFormsAreAsTheyWere() throws IOException {
    Path plain = directory.resolve("a.otlp");
    assertThat(Run.of("convert", recording.toString(), "-o", plain.toString()).exit()).isZero();
    Path page = directory.resolve("b.html");
    assertThat(Run.of("convert", plain.toString(), "-o", page.toString()).exit()).isZero();
    JsonNode samples = model(page).get("samples");
    assertThat(samples).isNotEmpty().allMatch(kind -> !kind.has("grain"));
  }

  private static JsonNode model(Path page) throws IOException {
    String html = Files.readString(page);
    String begin = "<script type=\"application/json\" id=\"model\">";
    int from = html.indexOf(begin) + begin.length();
    return new ObjectMapper().readTree(html.substring(from, html.indexOf("</script>", from)));
  }

  /** By tenth of a second and thread. */
  private static Map<String, Long> found(JsonNode model, String kind) {
    Map<String, Long> found = new TreeMap<>();
    for (JsonNode profile : model.get("profiles")) {
      if (profile.get("name").asText().equals(kind)) {
        JsonNode rows = model.get("samples").get(profile.get("samples").asInt());
        List<Long> times = unpacked(rows.get("time").asText());
        List<Long> threads = unpacked(rows.get("thread").asText());
        List<Long> values =
            unpacked(rows.get("values").get(profile.get("column").asInt()).asText());
        long at = 0;
        for (int row = 0; row < times.size(); row++) {
          at += times.get(row) * rows.get("grain").asInt();
          String thread = model.get("threads").get(threads.get(row).intValue()).asText();
          found.merge(at / 100 + " " + thread, values.get(row), Long::sum);
        }
      }
    }
    return found;
  }

  private static List<Long> unpacked(String text) {
    String digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    List<Long> numbers = new ArrayList<>();
    long number = 0;
    int shift = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      number |= (digits.indexOf(c) & 31L) << shift;
      shift += 5;
      if (digits.indexOf(c) < 32) {
        numbers.add(number);
        number = 0;
        shift = 0;
      }
    }
    return numbers;
  }
}
