package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Libraries of others read every output of every recording, and add up the same values. Runs with
 * {@code -Djudges}, if Go is there; {@code -Drecordings=FOLDER} takes recordings of that folder
 * too, and {@code -Dprofcheck=PROGRAM} OpenTelemetry's checker. {@code target/judges.txt} says what
 * each judge said of each recording.
 */
@Tag("judges")
final class JudgesIT {
  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");
  private static final Path PROGRAM = Path.of("target/judges").toAbsolutePath();
  private static final String PROFCHECK = System.getProperty("profcheck", "");

  /** Who must have judged. One that is not among the verdicts any more fails the test. */
  private static final List<String> JUDGES =
      List.of("pdata", "pdata-json", "pprof", "proto", "protojson", "zero-values");

  /** A link of 24 zero bytes in front of all others. */
  private static final byte[] ZERO_BYTES = new byte[32];

  static {
    byte[] head = {0x12, 30, 0x22, 28, 0x0a, 16};
    System.arraycopy(head, 0, ZERO_BYTES, 0, head.length);
    ZERO_BYTES[22] = 0x12;
    ZERO_BYTES[23] = 8;
  }

  @TempDir private Path directory;

  /** What a judge said of a file. */
  private record Verdict(String judge, String file, String text) {
    boolean isOk() {
      return text.startsWith("ok ");
    }
  }

  @BeforeAll
  static void build() throws Exception {
    Path source = Path.of("judges").toAbsolutePath();
    run(source, "go", "build", "-trimpath", "-o", PROGRAM.toString(), ".");
  }

  private static String run(Path folder, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", String.join(" ", command), text).isZero();
    return text;
  }

  private List<Verdict> judge(List<Path> files) throws Exception {
    List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
    files.forEach(file -> command.add(file.toString()));
    List<Verdict> verdicts = new ArrayList<>();
    for (String line : run(directory, command.toArray(new String[0])).lines().toList()) {
      List<String> parts = List.of(line.split("\t", 3));
      String file = Path.of(parts.get(1)).getFileName().toString();
      verdicts.add(new Verdict(parts.get(0), file, parts.get(2)));
    }
    return verdicts;
  }

  private static List<Path> recordings() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String folder : Arrays.asList(RECORDINGS.toString(), System.getProperty("recordings"))) {
      if (folder != null) {
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
          files.filter(file -> file.toString().matches(".*\\.jfr(\\.gz|\\.xz)?")).forEach(all::add);
        }
      }
    }
    all.sort(null);
    return all;
  }

  /** Converts a recording to all forms; answers the files, of which there may be many. */
  private List<Path> convert(Path recording, int number, String... options) throws Exception {
    Path folder = Files.createDirectory(directory.resolve("r" + number));
    for (String form : List.of("x.otlp", "x.otlp.json", "x.pb.gz")) {
      List<String> command = new ArrayList<>(List.of("convert"));
      command.add(recording.toAbsolutePath().toString());
      command.addAll(List.of("-o", folder.resolve(form).toString(), "--lenient"));
      if (form.endsWith(".json")) {
        command.addAll(List.of("--format", "otlp-json"));
      }
      command.addAll(List.of(options));
      ForkedJvm.Result result = new ForkedJvm(directory).runJar(command.toArray(new String[0]));
      assertThat(result.exit()).as("%s: %s", recording, result.err()).isZero();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /** The sums of all files of a form. */
  private static Map<String, Long> sums(List<Verdict> verdicts, String judge) {
    Map<String, Long> sums = new TreeMap<>();
    for (Verdict verdict : verdicts) {
      String text = verdict.text.replaceAll("^ok \\[|]$", "");
      if (verdict.judge.equals(judge) && !text.isEmpty()) {
        for (String sum : text.split(" ", -1)) {
          int colon = sum.lastIndexOf(':');
          sums.merge(sum.substring(0, colon), Long.parseLong(sum.substring(colon + 1)), Long::sum);
        }
      }
    }
    return sums;
  }

  @Test
  void everyJudgeTakesEveryOutputAndAddsUpTheSame() throws Exception {
    List<String> table = new ArrayList<>();
    TreeSet<String> judges = new TreeSet<>();
    int number = 0;
    for (Path recording : recordings()) {
      List<Path> files = convert(recording, number++);
      List<Verdict> verdicts = judge(files);
      verdicts.forEach(verdict -> judges.add(verdict.judge));
      verdicts.forEach(verdict -> table.add(recording.getFileName() + " " + verdict));
      assertThat(verdicts).as("%s", recording).allMatch(Verdict::isOk);
      Map<String, Long> sums = sums(verdicts, "proto");
      assertThat(sums).as("%s", recording).isNotEmpty();
      for (String judge : List.of("pdata", "pdata-json", "protojson")) {
        assertThat(sums(verdicts, judge)).as("%s by %s", recording, judge).isEqualTo(sums);
      }
      // pprof has the time of samples beside their number.
      Map<String, Long> byPprof = sums(verdicts, "pprof");
      for (String time : List.of("cpu/nanoseconds", "wall/nanoseconds")) {
        sums.remove(time);
        byPprof.remove(time);
      }
      assertThat(byPprof).as("%s by pprof", recording).isEqualTo(sums);
      if (!PROFCHECK.isEmpty()) {
        Path file = files.get(0).resolveSibling("x.otlp");
        String said = run(directory, PROFCHECK, "-check-dupes", "-check-orphans", file.toString());
        assertThat(said).contains("conformance checks passed");
      }
    }
    Files.write(Path.of("target/judges.txt"), table);
    assertThat(judges).containsExactlyElementsOf(JUDGES);
  }

  /** What goes in by the JDK's reader comes out by each judge. */
  @Test
  void theSumIsThatOfTheEvents() throws Exception {
    Path recording = RECORDINGS.resolve("jdk-500-50-100.jfr.gz");
    Path plain = directory.resolve("plain.jfr");
    try (var in = new java.util.zip.GZIPInputStream(Files.newInputStream(recording))) {
      Files.copy(in, plain);
    }
    long events =
        RecordingFile.readAllEvents(plain).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.ExecutionSample"))
            .count();
    List<Verdict> verdicts = judge(convert(recording, 0, "--cpu"));
    for (String judge : JUDGES) {
      if (!judge.equals("zero-values")) {
        assertThat(sums(verdicts, judge)).as(judge).containsEntry("samples/count", events);
      }
    }
  }

  @Test
  void eachJudgeRefusesAPlantedFault() throws Exception {
    List<Path> files = convert(RECORDINGS.resolve("jdk-50-10-100.jfr.gz"), 0);
    List<Path> broken = new ArrayList<>();
    for (Path file : files) {
      byte[] content = Files.readAllBytes(file);
      Path cut = file.resolveSibling("cut." + file.getFileName());
      broken.add(Files.write(cut, Arrays.copyOf(content, content.length / 2)));
    }
    byte[] whole = Files.readAllBytes(directory.resolve("r0/x.otlp"));
    byte[] zeros = Arrays.copyOf(ZERO_BYTES, ZERO_BYTES.length + whole.length);
    System.arraycopy(whole, 0, zeros, ZERO_BYTES.length, whole.length);
    broken.add(Files.write(directory.resolve("r0/zeros.otlp"), zeros));
    TreeSet<String> refusing = new TreeSet<>();
    for (Verdict verdict : judge(broken)) {
      if (!verdict.isOk()) {
        refusing.add(verdict.judge + " " + verdict.file.replaceAll("\\..*", ""));
      }
    }
    assertThat(refusing)
        .contains("zero-values zeros", "pprof cut", "proto cut", "protojson cut")
        .contains("pdata cut", "pdata-json cut");
    if (!PROFCHECK.isEmpty()) {
      Process process =
          new ProcessBuilder(PROFCHECK, directory.resolve("r0/zeros.otlp").toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(process.waitFor()).isEqualTo(1);
    }
  }
}
