package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.buftrail.it.programs.Leaker;
import org.buftrail.it.programs.ManyPaths;
import org.buftrail.it.programs.Operated;
import org.buftrail.it.programs.Server;
import org.buftrail.it.programs.Silent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left when a JVM ends, however it ends. */
final class LastReportIT {
  private static final int TIMEOUT_SECONDS = 60;
  private static final int MAX_ERR_CHARS = 64 << 10;

  @TempDir private Path directory;

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private List<Path> snapshots(String reason) throws IOException {
    Path snapshots = directory.resolve("snapshots");
    if (!Files.exists(snapshots)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(snapshots)) {
      return files.filter(file -> file.toString().endsWith("-" + reason + ".json")).toList();
    }
  }

  @Test
  void aJvmThatEndsAtOnceLeavesItsReportAndItsSnapshotToItsOwner() throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory).agent("report=flows.json;snapshotDir=snapshots").run(Silent.class);
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile.read(directory.resolve("flows.json"));
    assertThat(mode(directory.resolve("flows.json"))).isEqualTo("rw-------");
    assertThat(mode(directory.resolve("snapshots"))).isEqualTo("rwx------");
    List<Path> snapshots = snapshots("shutdown");
    assertThat(snapshots).as(result.err()).hasSize(1);
    assertThat(mode(snapshots.get(0))).isEqualTo("rw-------");
  }

  @Test
  void aReportKeepsTheModeOfTheFileThatItReplaces() throws Exception {
    Path report = Files.writeString(directory.resolve("flows.json"), "old");
    Files.setPosixFilePermissions(report, PosixFilePermissions.fromString("rw-r-----"));
    new ForkedJvm(directory).agent("report=flows.json").run(Leaker.class);
    FlowsFile.read(report);
    assertThat(mode(report)).isEqualTo("rw-r-----");
  }

  @Test
  void theTextOnStandardErrorIsBounded() throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory).agent(FlowCases.INCLUDE).run(ManyPaths.class, "2000");
    assertThat(result.out()).isEqualTo("main done\n");
    assertThat(result.err()).hasSizeLessThan(MAX_ERR_CHARS).containsPattern("allocated +2,000\\n");
    assertThat(result.agentLines())
        .last()
        .asString()
        .endsWith(" more lines; the option report=flows.txt writes all to a file");
  }

  /** Its threads go on while the report is written; those of this one wait at that moment. */
  @EachSetting(newestNetty = true)
  void aServiceThatIsTerminatedWritesItsReport(Setting setting) throws Exception {
    String options = FlowCases.INCLUDE + ";report=flows.json,flows.html;snapshotDir=snapshots";
    try (RunningProgram program =
        new RunningProgram(
            directory,
            setting.java(),
            List.of(
                "-javaagent:" + Setting.JAR + "=" + options,
                "-Dio.netty.leakDetection.level=disabled",
                "-cp",
                setting.classPath(),
                Server.class.getName(),
                "running",
                "leaking",
                "stop"))) {
      program.await("running");
      program.create("leaking");
      program.await("lost");
      assertThat(program.terminate()).as("128 and SIGTERM").isEqualTo(143);
      FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
      assertThat(flows.isBalanced()).isTrue();
      assertThat(flows.total("released")).isGreaterThanOrEqualTo(90);
      assertThat(flows.total("leaked") + flows.total("live")).as("lost").isEqualTo(5);
      assertThat(model(directory.resolve("flows.html")).path("paths").path("node")).isNotEmpty();
      assertThat(snapshots("shutdown")).hasSize(1);
      assertThat(program.err()).doesNotContain("not written");
    }
  }

  /** It is of the first and the last moment too; without a page nobody looks now and again. */
  @EachSetting(newestNetty = true, outerJvms = true)
  void aPageSaysWhoseFlowsItShowsAndWhatWasBefore(Setting setting) throws Exception {
    for (String report : List.of("flows.html", "flows.json")) {
      Path own = Files.createDirectory(directory.resolve("with-" + report));
      String options = FlowCases.INCLUDE + ";report=" + report;
      try (RunningProgram program =
          new RunningProgram(
              own,
              setting.java(),
              List.of(
                  "-javaagent:" + Setting.JAR + "=" + options + ";httpToken=0123456789abcdef",
                  "-cp",
                  setting.classPath(),
                  Server.class.getName(),
                  "running",
                  "leaking",
                  "stop"),
              Map.of("OTEL_SERVICE_NAME", "orders"))) {
        program.await("running");
        program.create("leaking");
        program.await("lost");
        ForkedJvm.Result dump = program.command("dump", "-o", own + "/dump.html");
        assertThat(dump.exit()).as(dump.err()).isZero();
        JsonNode dumped = model(own.resolve("dump.html"));
        check(dumped, program.pid(), options + ";httpToken=…");
        assertThat(dumped.has("history")).isEqualTo(report.equals("flows.html"));
        program.terminate();
        if (report.equals("flows.html")) {
          JsonNode last = model(own.resolve(report));
          check(last, program.pid(), options + ";httpToken=…");
          JsonNode history = last.path("history");
          assertThat(history.path("times")).hasSizeGreaterThan(1);
          assertThat(history.path("times").path(history.path("times").size() - 1).asLong())
              .isEqualTo(Instant.parse(last.path("takenAt").asText()).toEpochMilli());
          assertThat(history.path("paths").path(0).path("hops").asText()).contains("Server.");
        }
      }
    }
  }

  private static void check(JsonNode model, String pid, String options) {
    JsonNode process = model.path("process");
    assertThat(process.path("name").asText()).isEqualTo("orders");
    assertThat(process.path("pid").asText()).isEqualTo(pid);
    assertThat(process.path("options").asText()).isEqualTo(options);
    assertThat(Instant.parse(process.path("startedAt").asText()))
        .isBefore(Instant.parse(model.path("takenAt").asText()));
  }

  private static JsonNode model(Path page) throws IOException {
    Matcher model =
        Pattern.compile("(?s)<script[^>]*id=\"model\"[^>]*>(.*?)</script>")
            .matcher(Files.readString(page));
    assertThat(model.find()).isTrue();
    return new ObjectMapper().readTree(model.group(1));
  }

  /** The pipe takes some 64 KB, and nobody takes them out. */
  @Test
  void aJvmEndsThoughNobodyReadsItsStandardError() throws Exception {
    Process process =
        new ProcessBuilder(
                Setting.newest().java().toString(),
                "-javaagent:" + Setting.JAR + "=" + FlowCases.INCLUDE,
                "-cp",
                Setting.newest().classPath(),
                ManyPaths.class.getName(),
                "2000")
            .redirectInput(Files.createFile(directory.resolve("empty")).toFile())
            .start();
    try {
      assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aJarThatIsOverwrittenCostsNoReport() throws Exception {
    Path jar = Files.copy(Setting.JAR, directory.resolve("agent.jar"));
    List<String> names = new ArrayList<>();
    for (String ending : List.of("txt", "json", "html", "otlp", "pb.gz", "collapsed", "dot")) {
      names.add("flows." + ending);
    }
    String options =
        FlowCases.INCLUDE + ";snapshotDir=snapshots;every=1s;report=" + String.join(",", names);
    try (RunningProgram program =
        new RunningProgram(
            directory,
            Setting.newest().java(),
            List.of(
                "-javaagent:" + jar + "=" + options,
                "-cp",
                Setting.newest().classPath(),
                Operated.class.getName()))) {
      program.await("ready");
      for (int i = 0; i < TIMEOUT_SECONDS * 20 && snapshots("every").isEmpty(); i++) {
        Thread.sleep(50);
      }
      assertThat(snapshots("every")).as(program.err()).isNotEmpty();
      try (RandomAccessFile file = new RandomAccessFile(jar.toFile(), "rw")) {
        byte[] nothing = new byte[(int) file.length()];
        file.write(nothing);
      }
      program.stop();
      for (String name : names) {
        assertThat(directory.resolve(name)).as(program.err()).isNotEmptyFile();
      }
      assertThat(FlowsFile.read(directory.resolve("flows.json")).total("leaked")).isEqualTo(5);
      assertThat(snapshots("shutdown")).hasSize(1);
      assertThat(program.err()).doesNotContain("Error");
    }
  }

  @Test
  void aReportThatCannotBeWrittenIsSaidAtTheStartAndGoesToStandardError() throws Exception {
    Path missing = directory.resolve("no/flows.json");
    Path taken = Files.createDirectory(directory.resolve("is.json"));
    String options =
        FlowCases.INCLUDE
            + (";snapshotDir=" + taken.resolve("snapshots") + ";every=1s")
            + (";report=" + missing + "," + taken + ",flows.xml");
    try (RunningProgram program =
        new RunningProgram(
            directory,
            Setting.newest().java(),
            List.of(
                "-javaagent:" + Setting.JAR + "=" + options,
                "-cp",
                Setting.newest().classPath(),
                Operated.class.getName()))) {
      program.await("ready");
      String end = "; unless that changes, the report goes to standard error";
      program.awaitLine(
          "buftrail: report="
              + missing
              + " cannot be written: there is no directory "
              + directory.resolve("no")
              + end);
      program.awaitLine(
          "buftrail: report="
              + taken
              + " cannot be written: it is a directory; name a file in it"
              + end);
      program.awaitLine(
          "buftrail: report="
              + directory.resolve("flows.xml")
              + " cannot be written: the name must end in one of .txt .json .otlp .otlp.json .pb.gz"
              + " .pprof .html .htm .heatmap.html .collapsed .folded .speedscope.json .speedscope"
              + " .dot .mmd .llm"
              + end);
      assertThat(program.err()).doesNotContain("flows at shutdown");
      program.stop();
      assertThat(program.err())
          .contains("buftrail: flows at shutdown\n")
          .contains("buftrail: report not written: cannot write " + missing + ": there is no");
    }
  }
}
