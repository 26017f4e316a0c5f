package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.buftrail.it.Jury.Verdict;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs of others read every output of every recording, and add up the same values. Runs with
 * {@code -Djudges} and where {@code CI} is {@code true}; needs Go, Node and Python.
 *
 * <p>{@code -Drecordings=FOLDER} takes recordings of that folder too. {@code -Dprofcheck=PROGRAM}
 * asks OpenTelemetry's checker, {@code -Dparca=PROGRAM} and {@code -Dpyroscope=PROGRAM} what these
 * do with a request: a program that gets one file, and ends with 0 if it takes it. {@code
 * target/judges.txt} says what each judge said of each output.
 */
@Tag("judges")
final class JudgesIT {
  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");
  private static final String DUPES_AND_ORPHANS = " -check-dupes -check-orphans";
  private static final String PROFCHECK = System.getProperty("profcheck", "");

  /**
   * The judges that must have judged, in CI too. One that is missing among the verdicts fails the
   * test.
   */
  private static final Set<String> JUDGES =
      Set.of(
          "check",
          "duckdb",
          "jdk",
          "pdata",
          "pdata-json",
          "pprof",
          "pprof-tool",
          "proto",
          "protojson",
          "pyarrow",
          "speedscope",
          "speedscope-schema",
          "zero-values");

  /** How outputs are made: folder, and the options of {@code convert}. */
  private static final Map<String, List<String>> FORMS =
      new TreeMap<>(
          Map.of(
              "otlp", List.of("--format", "otlp"),
              "timestamps", List.of("--format", "otlp", "--timestamps"),
              "threads", List.of("--format", "otlp", "--threads", "--bci", "--classify"),
              "json", List.of("--format", "otlp-json"),
              "pprof", List.of("--format", "pprof"),
              "collapsed", List.of("--format", "collapsed"),
              "speedscope", List.of("--format", "speedscope", "--threads"),
              "parquet", List.of("--format", "parquet")));

  /** The time of samples, which pprof has beside their number. */
  private static final String TIMES = "(cpu|wall|native)[a-z_]*/nanoseconds";

  private static Jury jury;

  @TempDir private Path directory;

  @BeforeAll
  static void fetch() throws Exception {
    jury = Jury.fetch();
  }

  /** Copies all recordings into one folder, under names of their own. */
  private Path recordings(String folder) throws IOException {
    Path all = Files.createDirectories(directory.resolve("in"));
    int number = 0;
    for (Path recording : Jury.files(Path.of(folder), ".jfr", ".jfr.gz", ".jfr.xz", ".jfr.zst")) {
      String name = String.format(Locale.ROOT, "%03d-%s", number++, recording.getFileName());
      Path copy = all.resolve(name);
      Files.copy(recording, copy);
    }
    return all;
  }

  /** Converts all recordings to a form; answers what was said. */
  private String convert(Path recordings, String form) throws Exception {
    List<String> command = new ArrayList<>(List.of("convert", recordings.toString(), "-o"));
    command.add(directory.resolve(form) + "/");
    command.add("--lenient");
    command.addAll(FORMS.get(form));
    Path sql = Path.of("../sql/target/jars/buftrail-sql.jar").toAbsolutePath();
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .timeoutSeconds(1_800)
            .option("-Dbuftrail.sql=" + sql)
            .runJar(command.toArray(new String[0]));
    assertThat(result.exit()).as(result.err()).isLessThan(2);
    return result.err();
  }

  private List<Verdict> judge(String form) throws Exception {
    Path folder = directory.resolve(form);
    List<Verdict> verdicts = new ArrayList<>();
    if (form.equals("parquet")) {
      return jury.byPython(folder);
    }
    verdicts.addAll(jury.byGo(folder));
    verdicts.addAll(jury.byNode(folder));
    String profcheck = PROFCHECK.isEmpty() ? "" : PROFCHECK + DUPES_AND_ORPHANS;
    verdicts.addAll(Jury.byProgram("profcheck", profcheck, folder));
    verdicts.addAll(Jury.byProgram("parca", System.getProperty("parca", ""), folder));
    if (!form.equals("timestamps")) {
      // Pyroscope takes one value in each sample (docs/push.md).
      String pyroscope = System.getProperty("pyroscope", "");
      verdicts.addAll(Jury.byProgram("pyroscope", pyroscope, folder));
    }
    List<Path> checked = Jury.files(folder, ".otlp", ".otlp.json");
    if (!checked.isEmpty()) {
      verdicts.addAll(check(checked));
    }
    return verdicts;
  }

  private List<Verdict> check(List<Path> files) throws Exception {
    List<String> command = new ArrayList<>(List.of("check"));
    files.forEach(file -> command.add(file.toString()));
    ForkedJvm.Result result =
        new ForkedJvm(directory).timeoutSeconds(600).runJar(command.toArray(new String[0]));
    List<Verdict> verdicts = new ArrayList<>();
    for (Path file : files) {
      boolean ok = (result.out() + result.err()).contains(file + ": conformant, ");
      verdicts.add(
          new Verdict("check", file.getFileName().toString(), ok ? "ok" : "refused: see check"));
    }
    return verdicts;
  }

  /** The sums that a judge found in all files of a recording. */
  private static Map<String, Long> sums(List<Verdict> verdicts, String judge, String recording) {
    Map<String, Long> sums = new TreeMap<>();
    for (Verdict verdict : verdicts) {
      if (verdict.judge().equals(judge) && verdict.file().startsWith(recording + ".")) {
        verdict.sums().forEach((key, sum) -> sums.merge(key, sum, Long::sum));
      }
    }
    return sums;
  }

  /**
   * Takes a time as expected where it differs by less than a nanosecond for each event: with time
   * stamps and in a table, each event is a value, and where ticks are no nanoseconds each is
   * rounded by itself.
   */
  private static Map<String, Long> rounded(Map<String, Long> found, Map<String, Long> expected) {
    long events = byUnit(expected).getOrDefault("count", 0L);
    Map<String, Long> rounded = new TreeMap<>(found);
    rounded.replaceAll(
        (key, sum) -> {
          long plain = expected.getOrDefault(key, sum);
          boolean isNear = key.endsWith("nanoseconds") && Math.abs(plain - sum) < events;
          return isNear ? plain : sum;
        });
    return rounded;
  }

  private static Map<String, Long> withoutTimes(Map<String, Long> sums) {
    Map<String, Long> without = new TreeMap<>(sums);
    without.keySet().removeIf(key -> key.matches(TIMES));
    return without;
  }

  private static Map<String, Long> byUnit(Map<String, Long> sums) {
    Map<String, Long> byUnit = new TreeMap<>();
    sums.forEach((key, sum) -> byUnit.merge(key.replaceAll(".*/", ""), sum, Long::sum));
    return byUnit;
  }

  private static void compare(String recording, Map<String, List<Verdict>> said) {
    Map<String, Long> sums = sums(said.getOrDefault("otlp", List.of()), "proto", recording);
    assertThat(sums).as(recording).isNotEmpty();
    for (String form : List.of("otlp", "threads", "timestamps")) {
      for (String judge : List.of("proto", "pdata")) {
        Map<String, Long> found = sums(said.getOrDefault(form, List.of()), judge, recording);
        assertThat(form.equals("timestamps") ? rounded(found, sums) : found)
            .as("%s, %s by %s", recording, form, judge)
            .isEqualTo(sums);
      }
    }
    for (String judge : List.of("pdata-json", "protojson")) {
      assertThat(sums(said.getOrDefault("json", List.of()), judge, recording))
          .as("%s by %s", recording, judge)
          .isEqualTo(sums);
    }
    // pprof has the time of samples beside their number, and a table has only the number.
    for (String judge : List.of("pprof", "pprof-tool")) {
      assertThat(withoutTimes(sums(said.getOrDefault("pprof", List.of()), judge, recording)))
          .as("%s by %s", recording, judge)
          .isEqualTo(withoutTimes(sums));
    }
    for (String judge : List.of("duckdb", "pyarrow")) {
      Map<String, Long> expected = byUnit(withoutTimes(sums));
      Map<String, Long> found = sums(said.getOrDefault("parquet", List.of()), judge, recording);
      // A table keeps rows of nothing, an empty file that was read perhaps.
      found.values().removeIf(sum -> sum == 0);
      assertThat(rounded(found, expected)).as("%s by %s", recording, judge).isEqualTo(expected);
    }
  }

  /** What the JDK's reader counts, in place of what comes out; it does not read every recording. */
  private List<Verdict> countIn(Path recordings, String said, List<Verdict> out) throws Exception {
    List<Verdict> verdicts = new ArrayList<>();
    for (Path file : Jury.files(recordings, ".jfr", ".jfr.gz")) {
      String name = baseName(file);
      boolean converted = Files.exists(directory.resolve("otlp/" + name + ".otlp"));
      if (converted && !said.contains(file + ": ")) {
        Map<String, Long> sums = sums(out, "proto", name);
        String wrong = InputCounts.differences(file, sums);
        verdicts.add(new Verdict("jdk", name + ".jfr", wrong.isEmpty() ? "ok" : wrong));
      }
    }
    return verdicts;
  }

  private static String baseName(Path recording) {
    return recording.getFileName().toString().replaceAll("\\.jfr(\\.\\w+)?$", "");
  }

  @Test
  void everyJudgeTakesEveryOutputAndAddsUpTheSame() throws Exception {
    judgeAll(RECORDINGS.toString(), JudgesDocument.OWN);
  }

  /** Takes recordings that are no part of the repository. */
  @Test
  void everyJudgeTakesEveryOutputOfRecordingsOfOthers() throws Exception {
    String folder = System.getProperty("recordings", "");
    if (!folder.isEmpty()) {
      judgeAll(folder, JudgesDocument.OTHERS);
    }
  }

  private void judgeAll(String folder, String section) throws Exception {
    Path in = recordings(folder);
    Map<String, List<Verdict>> said = new TreeMap<>();
    String complaints = "";
    for (String form : FORMS.keySet()) {
      String err = convert(in, form);
      complaints = form.equals("otlp") ? err : complaints;
      said.put(form, judge(form));
    }
    said.put("jfr", countIn(in, complaints, said.getOrDefault("otlp", List.of())));
    List<String> lines = new ArrayList<>();
    said.forEach((form, all) -> all.forEach(verdict -> lines.add(form + " " + verdict)));
    Files.write(Path.of("target/judges" + section + ".txt"), lines);
    List<String> refused = new ArrayList<>();
    TreeSet<String> judges = new TreeSet<>();
    said.forEach(
        (form, all) -> {
          all.stream().filter(v -> !v.isOk()).forEach(v -> refused.add(form + " " + v));
          all.forEach(verdict -> judges.add(verdict.judge()));
        });
    assertThat(refused).isEmpty();
    List<Path> outputs = Jury.files(directory.resolve("otlp"), ".otlp");
    for (Path output : outputs) {
      compare(output.getFileName().toString().replaceAll("\\.otlp$", ""), said);
    }
    assertThat(judges).containsAll(JUDGES);
    if (section.equals(JudgesDocument.OWN)) {
      assertThat(outputs).hasSameSizeAs(Jury.files(in, ".jfr", ".jfr.gz"));
    }
    JudgesDocument.compare(section, said, JUDGES, InputCounts.writers(in, outputs));
  }

  @Test
  void eachJudgeRefusesAPlantedFault() throws Exception {
    Path in = Files.createDirectories(directory.resolve("in"));
    Files.copy(RECORDINGS.resolve("jdk25.jfr.gz"), in.resolve("x.jfr.gz"));
    TreeSet<String> refusing = new TreeSet<>();
    for (String form : FORMS.keySet()) {
      convert(in, form);
      for (Path file : Jury.files(directory.resolve(form), "")) {
        if (Files.isRegularFile(file)) {
          Files.write(file, damaged(file));
        }
      }
      judge(form).stream().filter(v -> !v.isOk()).forEach(v -> refusing.add(v.judge()));
    }
    String wrong = InputCounts.differences(in.resolve("x.jfr.gz"), Map.of("pauses/count", 1L));
    refusing.add(wrong.isEmpty() ? "" : "jdk");
    assertThat(refusing).containsAll(JUDGES);
  }

  /** What each reader of this kind of file must notice. */
  private static byte[] damaged(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    String name = file.getFileName().toString();
    if (name.endsWith(".otlp")) {
      // Link 0 with ids of zeros, and then a message that is cut.
      byte[] zeros = new byte[32];
      System.arraycopy(new byte[] {0x12, 30, 0x22, 28, 0x0a, 16}, 0, zeros, 0, 6);
      zeros[22] = 0x12;
      zeros[23] = 8;
      boolean cut = file.toString().contains("/timestamps/");
      byte[] all = new byte[zeros.length + content.length];
      System.arraycopy(zeros, 0, all, 0, zeros.length);
      System.arraycopy(content, 0, all, zeros.length, content.length);
      return cut ? Arrays.copyOf(all, all.length / 2) : all;
    }
    if (name.endsWith(".pb.gz")) {
      byte[] plain;
      try (var in = new GZIPInputStream(new ByteArrayInputStream(content))) {
        plain = in.readAllBytes();
      }
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (var out = new GZIPOutputStream(packed)) {
        out.write(plain, 0, plain.length / 2);
      }
      return packed.toByteArray();
    }
    if (name.endsWith(".speedscope.json")) {
      String text = new String(content, StandardCharsets.UTF_8);
      return text.replaceAll("\"unit\":\"[a-z]+\"", "\"unit\":\"jiffies\"")
          .getBytes(StandardCharsets.UTF_8);
    }
    return Arrays.copyOf(content, content.length / 2);
  }
}
