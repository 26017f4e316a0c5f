package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever holds profiles becomes whatever they can be written as, and says the same there. */
final class AnyToAnyTest {
  private static final List<String> STACKS =
      List.of("main;a;b 3", "main;a 4", "main;c;b 5", "[no stack] 6");
  private static final String PATH =
      """
      {"hops":["Alloc.buffer","Orders.send"],"refs":["1-2","1-2"],
       "sites":[{"class":"io.netty.Alloc","method":"buffer"},
                {"class":"com.example.Orders","method":"send","line":7}],
       "direct":true,"released":5,"leaked":2,"live":0,
       "releasedBytes":500,"leakedBytes":200,"liveBytes":0}""";

  @TempDir private Path directory = Path.of("");

  private Path stacks = Path.of("");

  @BeforeEach
  void write() throws IOException {
    stacks = Files.write(directory.resolve("stacks.collapsed"), STACKS);
  }

  private Path convert(Path from, String name, String... options) {
    Path out = directory.resolve(name);
    List<String> line =
        Stream.concat(
                Stream.of("convert", from.toString(), "-o", out.toString()), Stream.of(options))
            .toList();
    Run run = Run.of(line.toArray(new String[0]));
    assertThat(run.exit()).as(run.err()).isZero();
    return out;
  }

  /** The sums of an OTLP file by their stacks, root first, as its own classes read it. */
  private static Map<String, Long> sums(Path otlp) throws IOException {
    DecodedOtlp decoded = DecodedOtlp.protobuf(otlp);
    Map<String, Long> sums = new TreeMap<>();
    for (Profile profile : decoded.profiles()) {
      for (Sample sample : profile.getSamplesList()) {
        List<String> frames = new ArrayList<>(decoded.frames(sample).lines().toList());
        Collections.reverse(frames);
        sums.merge(
            String.join(";", frames).replaceAll(":[0-9]+", ""), sample.getValues(0), Long::sum);
      }
    }
    return sums;
  }

  static Stream<String> forms() {
    return Stream.of("x.otlp", "x.json", "x.otlp.json", "x.pb.gz", "x.collapsed");
  }

  @ParameterizedTest
  @MethodSource("forms")
  void stacksSayTheSameInEveryFormThatIsRead(String name) throws IOException {
    Path there = convert(stacks, name);
    Path back = convert(there, "back.otlp");
    assertThat(sums(back))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("main;a;b", 3L, "main;a", 4L, "main;c;b", 5L, "", 6L));
    assertThat(Files.readAllLines(convert(there, "back.collapsed")))
        .containsExactlyInAnyOrderElementsOf(STACKS);
  }

  /** Names say nothing: each form is read under the name of another, and packed. */
  @ParameterizedTest
  @MethodSource("forms")
  void theContentSaysWhatAFileIs(String name) throws IOException {
    Path there = convert(stacks, name);
    Path packed = directory.resolve("profile.jfr");
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      if (name.endsWith(".gz")) {
        packed = Files.copy(there, directory.resolve("profile.json"));
      } else {
        Files.copy(there, out);
      }
    }
    assertThat(sums(convert(packed, "back.otlp"))).containsEntry("main;c;b", 5L).hasSize(4);
  }

  /** Objects and their bytes are of the same samples, and pprof has both in one file. */
  @Test
  void aPairOfTypesStaysInOneFile() throws IOException {
    Path recording = Path.of("../jfr/src/test/resources/recordings/jdk25.jfr.gz");
    Path first = convert(recording, "alloc.pb.gz", "--profile", "alloc_sampled");
    Path again = convert(first, "again.pb.gz");
    DecodedPprof before = DecodedPprof.of(first);
    DecodedPprof after = DecodedPprof.of(again);
    assertThat(after.names()).hasSize(2).isEqualTo(before.names());
    assertThat(after.sums(0)).isNotEmpty().isEqualTo(before.sums(0));
    assertThat(after.sums(1)).isNotEqualTo(after.sums(0)).isEqualTo(before.sums(1));
    Path bytes = convert(first, "bytes.pb.gz", "--profile", "allocated_space");
    assertThat(DecodedPprof.of(bytes).names())
        .singleElement()
        .asString()
        .startsWith("allocated_space/bytes per ");
  }

  @Test
  void speedscopeHasTheStacksRootFirst() throws IOException {
    JsonNode file = new ObjectMapper().readTree(convert(stacks, "x.speedscope.json").toFile());
    assertThat(file.get("$schema").asText())
        .isEqualTo("https://www.speedscope.app/file-format-schema.json");
    JsonNode profile = file.get("profiles").get(0);
    assertThat(profile.get("type").asText()).isEqualTo("sampled");
    assertThat(profile.get("unit").asText()).isEqualTo("none");
    assertThat(profile.get("startValue").asLong()).isZero();
    assertThat(profile.get("endValue").asLong()).isEqualTo(18);
    Map<String, Long> weights = new TreeMap<>();
    for (int i = 0; i < profile.get("samples").size(); i++) {
      StringBuilder stack = new StringBuilder();
      for (JsonNode frame : profile.get("samples").get(i)) {
        JsonNode named = file.get("shared").get("frames").get(frame.asInt());
        stack.append(stack.isEmpty() ? "" : ";").append(named.get("name").asText());
      }
      weights.put(stack.toString(), profile.get("weights").get(i).asLong());
    }
    assertThat(weights)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("main;a;b", 3L, "main;a", 4L, "main;c;b", 5L, "[no stack]", 6L));
  }

  @Test
  void aReportOfProfilesNamesTheLargestFunctions() {
    Run run = Run.of("report", stacks.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .containsExactly(
            "samples/count 18, 4 samples",
            "self with callees function",
            "8 44.4 % 8 44.4 % b",
            "6 33.3 % 6 33.3 % [no stack]",
            "4 22.2 % 7 38.9 % a",
            "0 0.0 % 12 66.7 % main",
            "0 0.0 % 5 27.8 % c");
  }

  @Test
  void flowsBecomeProfilesAndReports() throws IOException {
    Path flows =
        Files.writeString(
            directory.resolve("flows.json"),
            "{\"format\":\"buftrail.flows\",\"version\":1,\"takenAt\":\"2026-01-31T12:00:00Z\","
                + "\"sampling\":1,\"totals\":{\"allocated\":7},\"paths\":["
                + PATH
                + "]}");
    DecodedOtlp decoded = DecodedOtlp.protobuf(convert(flows, "flows.otlp"));
    assertThat(decoded.profiles().stream().map(decoded::name))
        .anyMatch(name -> name.startsWith("leaked_space/bytes"));
    assertThat(Files.readString(convert(flows, "flows.dot"))).startsWith("digraph");
    assertThat(Files.readString(convert(flows, "flows.speedscope.json")))
        .contains("\"leaked_space\"");
    assertThat(Files.readString(convert(flows, "leaked.collapsed", "--profile", "leaked")))
        .isEqualTo("io.netty.Alloc.buffer;com.example.Orders.send 2\n");
    assertThat(Run.of("check", flows.toString()).out())
        .isEqualTo(flows + ": conformant, 4 profiles, 6 samples\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a;b", "a;;b 3", "a -3", " 3", "a 3\n\nb 4", "a 99999999999999999999"})
  void stacksOfAnotherFormAreRefused(String text) throws IOException {
    Files.writeString(stacks, "main 1\n" + text + "\n");
    Run run = Run.of("report", stacks.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .matches("buftrail: .*stacks.collapsed: line [23]: .*");
  }
}
