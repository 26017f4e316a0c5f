package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher script, in a copy of the repository's outline and with a Maven of our own. */
final class LauncherIT {
  private static final Path SCRIPT =
      Setting.JAR.resolveSibling("../../buftrail").toAbsolutePath().normalize();

  @TempDir private Path directory;
  private Path repository = Path.of("");

  /** The arguments of the JVM that {@link #isQuick} started. */
  private String said = "";

  private Path tools = Path.of("");
  private Path source = Path.of("");
  private Path jar = Path.of("");

  private static final String BUILDS = "buftrail: building %s, once; this takes some minutes";

  private record Result(int exit, String out, String err) {}

  @BeforeEach
  void layOut() throws IOException {
    repository = Files.createDirectory(directory.resolve("a repository"));
    Files.copy(SCRIPT, repository.resolve("buftrail"));
    Path parts = Files.createDirectories(repository.resolve("dist/launcher"));
    for (String part : List.of("java.sh", "build.sh", "archive.sh")) {
      Files.copy(SCRIPT.resolveSibling("dist/launcher").resolve(part), parts.resolve(part));
    }
    Files.setPosixFilePermissions(
        repository.resolve("buftrail"), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(repository.resolve("pom.xml"), "<project/>");
    source = Files.createDirectories(repository.resolve("cli/src/main/java")).resolve("A.java");
    Files.writeString(source, "");
    Files.writeString(repository.resolve("cli/pom.xml"), "<project/>");
    jar = Files.createDirectories(repository.resolve("dist/target")).resolve("buftrail.jar");
    tools = Files.createDirectory(directory.resolve("tools"));
    // Its last line has no end, as Maven's may.
    mvn(
        "cp '"
            + Setting.JAR
            + "' dist/target/buftrail.jar; echo \"$*\" > built; printf '\\033[0m'");
  }

  @Test
  void buildsWhenTheJarIsMissingAndShowsHowFarItIs() throws Exception {
    mvn(
        "echo '[INFO] Building Buftrail model 0.1.0                       [2/13]'; cp '"
            + Setting.JAR
            + "' dist/target/buftrail.jar; echo \"$*\" > built");
    Result result = run(repository.resolve("buftrail"), "--version");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out().strip()).isEqualTo("buftrail " + Setting.property("buftrail.version"));
    assertThat(result.err().lines())
        .containsExactly(BUILDS.formatted(jar), "buftrail:   [2/13] Buftrail model");
    assertThat(repository.resolve("built")).hasContent("-B -DskipTests -pl dist -am package");
  }

  @Test
  void doesNotBuildWhenTheJarIsFresh() throws Exception {
    freshJar();
    Result result = run(repository.resolve("buftrail"), "--version");
    assertThat(result.exit()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(repository.resolve("built")).doesNotExist();
  }

  @Test
  void buildsWhenASourceIsNewer() throws Exception {
    freshJar();
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(run(repository.resolve("buftrail"), "--version").exit()).isZero();
    assertThat(repository.resolve("built")).exists();
  }

  @Test
  void helpBuildsNothing() throws Exception {
    freshJar();
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    for (List<String> line : List.of(List.of("bench", "--help"), List.of("--help"))) {
      Result result = run(repository.resolve("buftrail"), line.toArray(new String[0]));
      assertThat(result.exit()).as(result.err()).isZero();
      assertThat(result.err()).isEmpty();
      assertThat(result.out()).startsWith("Usage: buftrail ");
    }
    assertThat(repository.resolve("built")).doesNotExist();
  }

  @Test
  void worksThroughSymbolicLinksFromAnywhere() throws Exception {
    freshJar();
    Path first = Files.createSymbolicLink(directory.resolve("first"), Path.of("second"));
    Files.createSymbolicLink(directory.resolve("second"), repository.resolve("buftrail"));
    Result result = run(first, "--version");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).startsWith("buftrail ");
  }

  @Test
  void aFailedBuildShowsWhyAndExitsWith1() throws Exception {
    mvn("echo '[INFO] Scanning'; echo '[ERROR] A.java:1 is wrong'; exit 1");
    Result result = run(repository.resolve("buftrail"), "--version");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .containsExactly(
            BUILDS.formatted(jar),
            "[ERROR] A.java:1 is wrong",
            "buftrail: the build failed; see above");
  }

  @Test
  void aModeOfBenchThatIsNoneIsSaidWithoutBuildingTheBenchmarks() throws Exception {
    freshJar();
    Result result = run(repository.resolve("buftrail"), "bench", "foo");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err().lines())
        .containsExactly("buftrail: bench has no mode 'foo'; see buftrail bench --help");
    assertThat(repository.resolve("built")).doesNotExist();
  }

  @Test
  void theLauncherKnowsTheModesOfBench() throws Exception {
    String script = Files.readString(repository.resolve("dist/launcher/build.sh"));
    String help = new ForkedJvm(directory).runJar("bench", "--help").out();
    for (String mode :
        script.replaceAll("(?s).*\n    (baseline .*?)\\).*", "$1").split(" \\| ", -1)) {
      assertThat(help).containsPattern("\\b" + mode + "\\b");
    }
  }

  @Test
  void exitCodesPassThrough() throws Exception {
    freshJar();
    assertThat(run(repository.resolve("buftrail"), "--nonsense").exit()).isEqualTo(2);
    assertThat(run(repository.resolve("buftrail"), "check", "missing").exit()).isEqualTo(1);
  }

  @Test
  void aWrongJavaHomeIsOneLine() throws Exception {
    freshJar();
    Result result =
        run(Map.of("JAVA_HOME", "/nowhere"), repository.resolve("buftrail"), "--version");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err().lines())
        .containsExactly(
            "buftrail: JAVA_HOME is /nowhere, which has no bin/java; correct it or unset it");
  }

  @Test
  void whatIsLargeGetsTheCompilerAndTheCollectorOfTheJvm() throws Exception {
    freshJar();
    file("small one.jfr", 1 << 20);
    file("largest.jfr", 256 << 20);
    file("large.jfr", (256 << 20) + 1);
    file("-dash.jfr", 1 << 20);
    Files.createSymbolicLink(directory.resolve("link.jfr"), Path.of("large.jfr"));
    Files.createDirectory(directory.resolve("folder"));
    file("folder/large.jfr", (256 << 20) + 1);
    assertThat(isQuick("convert", "small one.jfr")).isTrue();
    assertThat(isQuick("convert", "./-dash.jfr")).isTrue();
    assertThat(isQuick("convert", "largest.jfr", "-o", "out.otlp")).isTrue();
    assertThat(isQuick("convert", "large.jfr")).isFalse();
    assertThat(isQuick("convert", "--cpu", "small one.jfr", directory + "/large.jfr")).isFalse();
    assertThat(isQuick("convert", "link.jfr")).isFalse();
    assertThat(isQuick("info", "folder")).isFalse();
    assertThat(isQuick("convert", "missing.jfr")).isTrue();
    assertThat(isQuick("--help")).isTrue();
    assertThat(isQuick()).isTrue();
  }

  @Test
  void whatIsSmallIsCompiledLater() throws Exception {
    freshJar();
    file("small one.jfr", 2 << 20);
    file("middle.jfr", (2 << 20) + 1);
    String later = "-XX:CompileThresholdScaling=3 ";
    assertThat(isQuick("convert", "small one.jfr", "-o", "out.otlp")).isTrue();
    assertThat(said).contains(later);
    assertThat(isQuick("info", "missing.jfr")).isTrue();
    assertThat(said).contains(later);
    assertThat(isQuick("convert", "small one.jfr", "middle.jfr")).isTrue();
    assertThat(said).doesNotContain("CompileThresholdScaling");
    assertThat(isQuick("watch", "in/")).isFalse();
    assertThat(said).doesNotContain("CompileThresholdScaling");
  }

  @Test
  void whatNeedsTheEngineForSqlIsToldWhereItIs() throws Exception {
    freshJar();
    assertThat(engine("sql", "from hot_methods", "a.jfr")).isTrue();
    assertThat(engine("convert", "a.jfr", "-o", "out/", "--format", "parquet")).isTrue();
    assertThat(engine("convert", "a.jfr", "-o", "out/", "--format=Parquet")).isTrue();
    assertThat(engine("watch", "in/", "--dataset", "out/")).isTrue();
    assertThat(engine("compact", "out/")).isTrue();
    assertThat(engine("convert", "a.jfr")).isFalse();
    // This one stays for days.
    assertThat(isQuick("watch", "in/", "--dataset", "out/")).isFalse();
  }

  /**
   * Whether the JVM is told where the engine for SQL is. For questions alone it is also told that
   * it may load native code.
   */
  private boolean engine(String... arguments) throws IOException, InterruptedException {
    javaThatSays(tools.resolve("bin/java"), "for argument; do echo \"$argument\"; done");
    Result result =
        run(Map.of("JAVA_HOME", tools.toString()), repository.resolve("buftrail"), arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    List<String> told = result.out().lines().toList();
    boolean isTold =
        told.contains("-Dbuftrail.sql=" + repository + "/sql/target/jars/buftrail-sql.jar");
    assertThat(told.contains("--enable-native-access=ALL-UNNAMED"))
        .isEqualTo(arguments[0].equals("sql"));
    return isTold;
  }

  @Test
  void aCollectorThatIsAskedForIsTheOnlyOne() throws Exception {
    freshJar();
    javaThatSays(tools.resolve("bin/java"), "echo \"$*\"");
    Files.writeString(tools.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");
    Map<String, String> options =
        Map.of("JAVA_HOME", tools.toString(), "JAVA_OPTS", "-XX:+UseParallelGC");
    assertThat(run(options, repository.resolve("buftrail"), "info").out())
        .contains("-XX:+UseParallelGC")
        .doesNotContain("UseSerialGC", "UseG1GC");
  }

  @ParameterizedTest
  @CsvSource({"17.0.15, G1", "17, G1", "21.0.2, Serial", "170, Serial"})
  void theCollectorIsTheOneThatTakesObjectsFromAnArchive(String version, String collector)
      throws Exception {
    freshJar();
    javaThatSays(tools.resolve("bin/java"), "echo \"$*\"");
    Files.writeString(
        tools.resolve("release"), "IMPLEMENTOR=\"Us\"\nJAVA_VERSION=\"" + version + "\"\n");
    Map<String, String> home = Map.of("JAVA_HOME", tools.toString());
    assertThat(run(home, repository.resolve("buftrail"), "info").out())
        .containsPattern("-XX:\\+Use" + collector + "GC ");
  }

  @Test
  void anArchiveOfClassesIsMadeOnceForEachVersionOfAJvm() throws Exception {
    freshJar();
    for (Path old :
        List.of(source, repository.resolve("pom.xml"), source.resolveSibling("../../../pom.xml"))) {
      Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(120)));
    }
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(60)));
    Path home = Files.createDirectories(directory.resolve("a jvm"));
    Path calls = home.resolve("calls");
    javaThatSays(
        home.resolve("bin/java"),
        "echo \"$*\" >>'" + calls + "'",
        "for argument; do",
        "  case $*,$argument in",
        "    *-Xshare:dump*,-XX:SharedArchiveFile=*) echo classes >\"${argument#*=}\" ;;",
        "  esac",
        "done");
    String release =
        "IMPLEMENTOR=\"Us\"\nJAVA_RUNTIME_VERSION=\"%s\"\nJAVA_VERSION=\"17\"\nMODULES=\"%s\"\n";
    Files.writeString(home.resolve("release"), release.formatted("17.0.1+1", "a b"));
    Map<String, String> environment = Map.of("JAVA_HOME", home.toString());
    for (int run = 0; run < 2; run++) {
      assertThat(run(environment, repository.resolve("buftrail"), "info", "x.jfr").exit()).isZero();
    }
    assertThat(Files.readAllLines(calls))
        .satisfiesExactly(
            training -> assertThat(training).contains("-XX:DumpLoadedClassList=", "-XX:+UseG1GC"),
            dump -> assertThat(dump).contains("-Xshare:dump"),
            first ->
                assertThat(first)
                    .contains("-XX:SharedArchiveFile=", " org.buftrail.cli.Main info x.jfr"),
            second ->
                assertThat(second)
                    .contains("-XX:SharedArchiveFile=", " org.buftrail.cli.Main info x.jfr"));
    Files.writeString(home.resolve("release"), release.formatted("17.0.2+2", "a b"));
    assertThat(run(environment, repository.resolve("buftrail"), "info", "x.jfr").exit()).isZero();
    assertThat(Files.readAllLines(calls)).hasSize(7);
  }

  @Test
  void temporaryFilesGoWhereTheEnvironmentSays() throws Exception {
    freshJar();
    javaThatSays(tools.resolve("bin/java"), "for argument; do echo \"$argument\"; done");
    Path place = Files.createDirectory(directory.resolve("a place"));
    Map<String, String> home = Map.of("JAVA_HOME", tools.toString(), "TMPDIR", place.toString());
    Result result = run(home, repository.resolve("buftrail"), "info");
    assertThat(result.out().lines()).contains("-Djava.io.tmpdir=" + place);
    Map<String, String> nowhere = Map.of("JAVA_HOME", tools.toString(), "TMPDIR", "/nowhere");
    Result without = run(nowhere, repository.resolve("buftrail"), "info");
    assertThat(without.out()).contains("info").doesNotContain("java.io.tmpdir");
  }

  private void file(String name, long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve(name).toFile(), "rw")) {
      file.setLength(length);
    }
  }

  /** Whether the JVM is told to save time, by a JVM that only says what it is told. */
  private boolean isQuick(String... arguments) throws IOException, InterruptedException {
    javaThatSays(tools.resolve("bin/java"), "echo \"$*\"");
    Result result =
        run(Map.of("JAVA_HOME", tools.toString()), repository.resolve("buftrail"), arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).contains(String.join(" ", arguments));
    said = result.out();
    boolean quick = result.out().contains("-XX:TieredStopAtLevel=1 ");
    assertThat(result.out().contains("-XX:+UseSerialGC ")).isEqualTo(quick);
    return quick;
  }

  private static void javaThatSays(Path java, String... script) throws IOException {
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\n" + String.join("\n", script) + "\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void freshJar() throws IOException {
    Files.copy(Setting.JAR, jar);
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(5)));
  }

  private void mvn(String body) throws IOException {
    Path mvn = Files.writeString(tools.resolve("mvn"), "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Result run(Path script, String... arguments) throws IOException, InterruptedException {
    return run(Map.of("JAVA_HOME", Setting.OWN_JAVA.toString()), script, arguments);
  }

  private Result run(Map<String, String> environment, Path script, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    Path out = directory.resolve("out.txt");
    Path err = directory.resolve("err.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    builder.environment().merge("PATH", tools.toString(), (path, ours) -> ours + ":" + path);
    int exit = builder.start().waitFor();
    return new Result(exit, Files.readString(out), Files.readString(err));
  }
}
