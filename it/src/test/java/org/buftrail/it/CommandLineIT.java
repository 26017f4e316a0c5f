package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.buftrail.it.programs.Leaker;
import org.buftrail.it.programs.Silent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line as it is packaged. */
final class CommandLineIT {
  @TempDir private Path directory;

  @Test
  void theVersionIsThatOfTheBuild() throws Exception {
    ForkedJvm.Result result = new ForkedJvm(directory).runJar("--version");
    assertThat(result.exit()).isZero();
    assertThat(result.out().strip()).isEqualTo("buftrail " + Setting.property("buftrail.version"));
    assertThat(result.err()).isEmpty();
  }

  @Test
  void helpNamesEveryCommand() throws Exception {
    ForkedJvm.Result result = new ForkedJvm(directory).runJar("--help");
    assertThat(result.exit()).isZero();
    assertThat(result.out().lines().map(String::strip))
        .anyMatch(line -> line.startsWith("demo "))
        .anyMatch(line -> line.startsWith("report "))
        .anyMatch(line -> line.startsWith("convert "))
        .anyMatch(line -> line.startsWith("check "));
  }

  /** The first lambda alone takes a twentieth of it, and a formatter or {@code BigDecimal} more. */
  @ParameterizedTest
  @CsvSource({
    "jdk25, one.otlp, one.jfr",
    "async-profiler, one.otlp, one.jfr",
    "async-profiler, one.html, --cpu --wall one.jfr -o one.html"
  })
  void aShortConversionLoadsNothingThatTakesAsLongAsItself(
      String recording, String output, String arguments) throws Exception {
    unpack(recording, directory.resolve("one.jfr"));
    List<String> command = new ArrayList<>();
    command.addAll(List.of("org.buftrail.cli.Main", "convert"));
    command.addAll(List.of(arguments.split(" ")));
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .option("-Dbuftrail.launcher=buftrail")
            .option("-XX:ActiveProcessorCount=1")
            .option("-Xlog:class+load")
            .runCommand("-cp", Setting.JAR.toString(), command.toArray(new String[0]));
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(directory.resolve(output)).isNotEmptyFile();
    assertThat(result.out()).contains(" org.buftrail.jfr.Converter ");
    assertThat(result.out().lines())
        .noneMatch(line -> line.matches(".* org\\.buftrail\\.[\\w.$]+\\$\\$Lambda.*"))
        .noneMatch(line -> line.contains(" java.util.regex.Pattern "))
        .noneMatch(line -> line.contains(" java.util.Formatter "))
        .noneMatch(line -> line.contains(" java.util.stream.ReferencePipeline "))
        .noneMatch(line -> line.contains(" java.util.stream.IntPipeline "))
        .noneMatch(line -> line.contains(" java.time.format.DateTimeFormatter "))
        .noneMatch(line -> line.contains(" java.lang.System$Logger "))
        .noneMatch(line -> line.contains(" java.math.BigDecimal "));
  }

  /** Without the launcher, which has an option for that. */
  @Test
  void aShortRunOfTheJarIsLeftToTheQuickCompiler() throws Exception {
    List<String> command = new ArrayList<>(List.of("convert", "--lenient", "-o", "all.otlp"));
    for (int i = 0; i < 8; i++) {
      for (String name : List.of("jdk25", "async-profiler")) {
        unpack(name, directory.resolve(name + i + ".jfr"));
        command.add(name + i + ".jfr");
      }
    }
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .option("-XX:+PrintCompilation")
            .option("-Djava.io.tmpdir=" + directory)
            .runCommand("-jar", Setting.JAR.toString(), command.toArray(new String[0]));
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(directory.resolve("all.otlp")).isNotEmptyFile();
    assertThat(result.out().lines())
        .anyMatch(line -> line.matches(" *\\d+ +\\d+ .* [123]  +org\\.buftrail\\..*"))
        .noneMatch(line -> line.matches(" *\\d+ +\\d+ .* 4  +org\\.buftrail\\..*"));
    assertThat(directory).isDirectoryNotContaining("glob:**.directives");
  }

  private static void unpack(String recording, Path file) throws IOException {
    Path packed =
        Setting.JAR.resolveSibling(
            "../../jfr/src/test/resources/recordings/" + recording + ".jfr.gz");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
      Files.copy(in, file);
    }
  }

  @Test
  void packedInputIsUnpackedWithoutAWordFromTheVirtualMachine() throws Exception {
    // A Zstandard frame of one raw block: the letters "notes".
    byte[] frame = {
      0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0x20, 5, 5 << 3 | 1, 0, 0, 'n', 'o', 't', 'e', 's'
    };
    Files.write(directory.resolve("notes.jfr.zst"), frame);
    ForkedJvm.Result result =
        new ForkedJvm(directory).runJar("convert", "notes.jfr.zst", "-o", "x.otlp");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("buftrail: notes.jfr.zst")
        .doesNotContain("java.");
    assertThat(directory.resolve("x.otlp")).doesNotExist();
  }

  @Test
  void theAgentsSnapshotBecomesConformantProfilesAndAPage() throws Exception {
    FlowCases.flows(Setting.newest(), directory, Leaker.class);
    ForkedJvm.Result page =
        new ForkedJvm(directory).runJar("report", "flows.json", "-o", "flows.html");
    assertThat(page.exit()).as(page.err()).isZero();
    assertThat(Files.readString(directory.resolve("flows.html"), StandardCharsets.UTF_8))
        .contains("Leaker.forget");
    ForkedJvm.Result tree = new ForkedJvm(directory).runJar("report", "flows.json");
    assertThat(tree.out())
        .contains("last read in org.buftrail.it.programs.Leaker.forget")
        .contains("org.buftrail.it.programs.Leaker.handle:23 had it")
        .contains("5 flows");
  }

  @Test
  void aComparisonThatFailsIsAppendedToTheSummaryOfTheStep() throws Exception {
    Path clean = Files.createDirectory(directory.resolve("clean"));
    Path leaking = Files.createDirectory(directory.resolve("leaking"));
    FlowCases.flows(Setting.newest(), clean, Silent.class);
    FlowCases.flows(Setting.newest(), leaking, Leaker.class);
    Path summary = Files.writeString(directory.resolve("summary.md"), "# Before\n");
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .environment("GITHUB_STEP_SUMMARY", summary.toString())
            .runJar(
                "diff",
                "clean/flows.json",
                "leaking/flows.json",
                "--type",
                "leaked_space,live_space",
                "--fail-on",
                "new-leak,growth=10%");
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    List<String> lines = Files.readAllLines(summary);
    assertThat(lines)
        .startsWith("# Before", "### ❌ Buftrail: `clean/flows.json` → `leaking/flows.json`", "")
        .anyMatch(line -> line.startsWith("- **") && line.contains("Leaker.forget"))
        .contains("| measure | base | scaled | new | change | sampling error |");
  }
}
