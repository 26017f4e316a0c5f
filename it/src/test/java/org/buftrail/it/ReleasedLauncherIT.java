package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher of a release, laid out as its archive is, and the archive of classes that it keeps.
 */
final class ReleasedLauncherIT {
  private static final Path ROOT = Setting.JAR.resolveSibling("../..").toAbsolutePath().normalize();
  private static final Path RECORDINGS = ROOT.resolve("jfr/src/test/resources/recordings");
  private static final String RECORDING = RECORDINGS.resolve("jdk25.jfr.gz").toString();

  private static final String LOG = " -Xlog:class+load:stdout";
  private static final long TWO_DAYS = 2 * 24 * 60 * 60 * 1000L;

  @TempDir private Path directory;
  private Path launcher = Path.of("");
  private Path lib = Path.of("");
  private Path jar = Path.of("");
  private Path cache = Path.of("");

  private record Result(int exit, String out, String err) {}

  @BeforeEach
  void unpack() throws IOException {
    Path bin = Files.createDirectories(directory.resolve("a release/bin"));
    lib = Files.createDirectories(directory.resolve("a release/lib"));
    launcher = Files.copy(ROOT.resolve("release/src/main/bin/buftrail"), bin.resolve("buftrail"));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (String part : List.of("java.sh", "archive.sh")) {
      Files.copy(ROOT.resolve("dist/launcher").resolve(part), lib.resolve(part));
    }
    Path rehearsal = Files.createDirectories(lib.resolve("rehearsal"));
    for (String name : List.of("dd-50-10-100.jfr.gz", "jdk25.jfr.gz")) {
      Files.copy(RECORDINGS.resolve(name), rehearsal.resolve(name));
    }
    jar = Files.copy(Setting.JAR, lib.resolve("buftrail.jar"));
    cache = directory.resolve("home/.cache/buftrail");
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void theJvmTakesItsClassesFromAnArchiveMadeAtTheFirstRun(Path home) throws Exception {
    // A JVM finds no class in an archive where the path of the jar has a space.
    lib = move("release").resolve("lib");
    Map<String, String> environment = Map.of("JAVA_HOME", home.toString());
    assertThat(run(environment, "info", RECORDING)).satisfies(ReleasedLauncherIT::isDone);
    assertThat(archives(lib)).hasSize(1);
    assertThat(lib).isDirectoryNotContaining("glob:**.making");
    for (String collector : List.of("", "-XX:+UseG1GC", "-XX:+UseParallelGC")) {
      Result result = run(with(environment, "JAVA_OPTS", collector + LOG), "info", RECORDING);
      assertThat(result).satisfies(ReleasedLauncherIT::isDone);
      assertThat(result.out())
          .containsPattern("org.buftrail.cli.Main source: shared objects file")
          .doesNotContainPattern("source: .*buftrail.jar");
    }
  }

  @Test
  void anotherJarAndAnotherJvmGetAnArchiveOfTheirOwn() throws Exception {
    Map<String, String> home = Map.of("JAVA_HOME", sayingJava().toString());
    for (int i = 0; i < 2; i++) {
      run(home, "info");
    }
    assertThat(made()).isEqualTo(1);
    // An older jar is another one too.
    Files.setLastModifiedTime(jar, FileTime.fromMillis(1_700_000_000_000L));
    for (int i = 0; i < 2; i++) {
      assertThat(run(home, "info").out()).contains("-XX:SharedArchiveFile=" + lib);
    }
    assertThat(made()).isEqualTo(2);
    Files.writeString(directory.resolve("jvm/release"), "JAVA_RUNTIME_VERSION=\"17.0.2\"\n");
    run(home, "info");
    assertThat(made()).isEqualTo(3);
    assertThat(archives(lib)).hasSize(2);
  }

  @Test
  void whereTheReleaseCannotBeWrittenToTheCacheOfTheUserHasIt() throws Exception {
    Map<String, String> home = Map.of("JAVA_HOME", sayingJava().toString());
    withoutPlaceInTheRelease();
    Result result = run(home, "info");
    assertThat(result.out()).contains("-XX:SharedArchiveFile=" + cache);
    assertThat(run(home, "info").out()).isEqualTo(result.out());
    assertThat(made()).isEqualTo(1);
    assertThat(archives(cache)).hasSize(1);
  }

  /** A system bounds how many bytes a name has, and no two paths may have one. */
  @ParameterizedTest
  @ValueSource(strings = {"LONG/release", "a,release"})
  void whereItCannotBeCalledByThePathsItsNameIsASum(String name) throws Exception {
    move(name.replace("LONG", "p".repeat(200)));
    Map<String, String> home = Map.of("JAVA_HOME", sayingJava().toString());
    for (int i = 0; i < 2; i++) {
      assertThat(run(home, "info").out())
          .containsPattern("SharedArchiveFile=.*/lib/classes-\\d+\\.jsa");
    }
    assertThat(made()).isEqualTo(1);
  }

  /** A JVM takes a colon for the end of a path. */
  @Test
  void noArchiveAndNoReleaseIsInADirectoryWithAColon() throws Exception {
    Map<String, String> home = Map.of("JAVA_HOME", sayingJava().toString());
    move("a:release");
    assertThat(run(home, "info"))
        .satisfies(result -> assertThat(result.exit()).isEqualTo(1))
        .satisfies(result -> assertThat(result.err()).contains("a colon").hasLineCount(1));
    move("release");
    withoutPlaceInTheRelease();
    Map<String, String> away = with(home, "XDG_CACHE_HOME", directory.resolve("c:d").toString());
    assertThat(run(away, "info").out()).contains("info").doesNotContain("SharedArchiveFile");
    assertThat(made()).isZero();
  }

  @Test
  void withoutAnyPlaceForItTheCommandRunsAllTheSame() throws Exception {
    withoutPlaceInTheRelease();
    Files.writeString(directory.resolve("home"), "no directory");
    Result result = run(Map.of("JAVA_HOME", ownHome()), "info", RECORDING);
    assertThat(result).satisfies(ReleasedLauncherIT::isDone);
    Map<String, String> home = Map.of("JAVA_HOME", sayingJava().toString());
    assertThat(run(with(home, "HOME", ""), "info").out()).doesNotContain("SharedArchiveFile");
  }

  @Test
  void whereNoneCanBeMadeThatIsTriedOnceADay() throws Exception {
    Map<String, String> home = Map.of("JAVA_HOME", sayingJava("exit 1").toString());
    for (int i = 0; i < 3; i++) {
      assertThat(run(home, "info")).satisfies(ReleasedLauncherIT::isDone);
    }
    assertThat(made()).isEqualTo(1);
    try (Stream<Path> files = Files.list(lib)) {
      Path making = files.filter(file -> file.toString().endsWith(".making")).findAny().get();
      assertThat(making).isEmptyDirectory();
      Files.setLastModifiedTime(making, FileTime.fromMillis(System.currentTimeMillis() - TWO_DAYS));
    }
    for (int i = 0; i < 3; i++) {
      run(home, "info");
    }
    assertThat(made()).isEqualTo(2);
  }

  @Test
  void aFullDiskCostsNothingButTheArchive() throws Exception {
    // No file may be larger than half of what it would have.
    Files.writeString(
        launcher, Files.readString(launcher).replace("set -eu", "set -eu\nulimit -f 8000"));
    Result result = run(Map.of("JAVA_HOME", ownHome()), "info", RECORDING);
    assertThat(result).satisfies(ReleasedLauncherIT::isDone);
    assertThat(archives(lib)).isEmpty();
    assertThat(run(Map.of("JAVA_HOME", ownHome()), "info", RECORDING)).isEqualTo(result);
  }

  @Test
  void ofTwoAtOnceOneMakesItAndTheOtherDoesWithout() throws Exception {
    Map<String, String> home = Map.of("JAVA_HOME", sayingJava("sleep 1").toString());
    List<Process> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(start(home, directory.resolve("out" + i), "info"));
    }
    for (Process process : all) {
      assertThat(process.waitFor()).isZero();
    }
    assertThat(made()).isEqualTo(1);
    assertThat(run(home, "info").out()).contains("-XX:SharedArchiveFile=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:SharedArchiveFile=mine.jsa", "-Xshare:off", "-XX:AOTCache=mine.aot"})
  void whoNamesAnArchiveGetsNoOther(String option) throws Exception {
    Map<String, String> home = Map.of("JAVA_HOME", sayingJava().toString());
    String told = run(with(home, "JAVA_OPTS", option), "info").out();
    assertThat(told).contains(option).doesNotContain("classes-");
    assertThat(made()).isZero();
  }

  @Test
  void anAgentForEveryJvmSaysNothingOfTheCommand() throws Exception {
    // A JVM ends an option of the environment at a space.
    lib = move("release").resolve("lib");
    Map<String, String> environment = Map.of("JAVA_HOME", ownHome());
    String agent = "-javaagent:" + lib.resolve("buftrail.jar");
    Result result = run(with(environment, "JAVA_TOOL_OPTIONS", agent), "info", RECORDING);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err().lines()).allMatch(line -> line.startsWith("Picked up "));
  }

  private static List<Path> jvms() {
    return Setting.homes().stream().filter(home -> feature(home) >= 17).toList();
  }

  private static int feature(Path home) {
    return new Setting(home, "").javaVersion();
  }

  private static void isDone(Result result) {
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).isEmpty();
  }

  private static String ownHome() {
    return Setting.OWN_JAVA.toString();
  }

  private static Map<String, String> with(Map<String, String> all, String key, String value) {
    Map<String, String> more = new HashMap<>(all);
    more.put(key, value);
    return more;
  }

  /** Has it look below a file: permissions would not keep the superuser out. */
  private void withoutPlaceInTheRelease() throws IOException {
    String script = Files.readString(launcher);
    Files.writeString(launcher, script.replace("find_archive \"$root/lib", "find_archive \"$0/x"));
    assertThat(launcher).content().isNotEqualTo(script);
  }

  /** A JVM that only says what it is told, and notes when it is to make an archive. */
  private Path sayingJava(String... also) throws IOException {
    Path home = directory.resolve("jvm");
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(home.resolve("release"), "JAVA_RUNTIME_VERSION=\"17.0.1\"\n");
    Files.writeString(
        java,
        """
        #!/bin/sh
        case $* in
          *-Xshare:dump*)
            echo made >>'%s'
            %s
            echo classes >jsa ;;
          *rehearse*) ;;
          *) echo "$*" ;;
        esac
        """
            .formatted(directory.resolve("made"), String.join("\n", also)));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  /** Puts the release elsewhere. */
  private Path move(String name) throws IOException {
    Path place = directory.resolve(name);
    Files.createDirectories(place.getParent());
    Files.move(launcher.resolve("../..").normalize(), place);
    launcher = place.resolve("bin/buftrail");
    return place;
  }

  private long made() throws IOException {
    Path noted = directory.resolve("made");
    return Files.exists(noted) ? Files.readAllLines(noted).size() : 0;
  }

  private static List<Path> archives(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files.filter(file -> file.toString().endsWith(".jsa")).toList();
    }
  }

  private Result run(Map<String, String> environment, String... arguments) throws Exception {
    Path out = directory.resolve("out.txt");
    int exit = start(environment, out, arguments).waitFor();
    return new Result(exit, Files.readString(out), Files.readString(Path.of(out + ".err")));
  }

  private Process start(Map<String, String> environment, Path out, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(Path.of(out + ".err").toFile());
    builder.environment().keySet().removeIf(name -> name.matches("XDG_CACHE_HOME|.*JAVA.*"));
    builder.environment().put("HOME", directory.resolve("home").toString());
    builder.environment().putAll(environment);
    return builder.start();
  }
}
