package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The projects in examples/ that show how tests are looked at. */
final class InTestsSamplesIT {
  private static final Path ROOT = Path.of(Setting.property("buftrail.it.root"));
  private static final String VERSION = Setting.property("buftrail.version");

  @TempDir private Path directory;

  @Test
  void theMavenProjectFailsWhenItLeaks() throws Exception {
    copy(ROOT.resolve("examples/in-tests-maven"), directory.resolve("project"));
    Path repository = repository();
    String clean = maven(repository, 0, "test");
    assertThat(clean)
        .contains("Tests run: 3, Failures: 0, Errors: 0, Skipped: 0")
        .contains("hops in the application's own classes (com.example.frames");
    Path reports = directory.resolve("project/target/buftrail");
    Files.copy(reports.resolve("leaks.json"), directory.resolve("clean.json"));
    // A JVM for each class: they make one report.
    String leaking =
        maven(repository, 1, "test", "-Dplanted=true", "-DforkCount=2", "-DreuseForks=false");
    assertThat(leaking)
        .contains("Tests run: 3, Failures: 2, Errors: 0, Skipped: 0")
        .contains("FramesTest.theLengthIsInFront() left 1 buffer open, 9 B")
        .contains(
            "; last seen at com.example.frames.FramesTest.theLengthIsInFront(FramesTest.java:18)")
        .contains("\tat com.example.frames.Frames.encode(Frames.java:14)")
        .contains(
            "\r::error file=src/test/java/com/example/frames/FramesTest.java,line=18,title=Buffer"
                + " leak::com.example.frames.FramesTest.theLengthIsInFront() left 1 buffer, 9 B");
    assertThat(reports.resolve("leaks.html")).exists();
    assertThat(reports.resolve("leaks.md"))
        .content()
        .contains("2 left open, 13 B, by 2 of 5 tests and classes.")
        .contains("| com.example.frames.FramesTest.theLengthIsInFront() | 1 | 9 B |")
        .contains("| com.example.frames.EmptyFrameTest.isItsLengthAlone() | 1 | 4 B |");
    assertThat(directory.resolve("step.md"))
        .content()
        .containsOnlyOnce("### Buffer leaks in tests\n\n2 left open, 13 B, by 2 of 5 tests")
        .containsOnlyOnce("| com.example.frames.FramesTest.theLengthIsInFront() | 1 | 9 B |")
        .containsOnlyOnce("| com.example.frames.EmptyFrameTest.isItsLengthAlone() | 1 | 4 B |");
    assertThat(leaking).as("Maven's own JVM has no agent").doesNotContain("(org.codehaus");
    // Beside the agents of others, and side by side.
    String others =
        maven(
            repository,
            1,
            "test",
            "-Dplanted=true",
            "-DargLine=-javaagent:"
                + Setting.loading("mockito-core.jar")
                + " --add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Djunit.jupiter.execution.parallel.enabled=true",
            "-Djunit.jupiter.execution.parallel.mode.default=concurrent");
    assertThat(others).contains("Tests run: 3, Failures: 2, Errors: 0, Skipped: 0");
    Path leaks = reports.resolve("leaks.json");
    assertThat(diff(directory.resolve("clean.json"), leaks).exit()).isEqualTo(1);
    assertThat(diff(leaks, leaks).exit()).isZero();
  }

  private ForkedJvm.Result diff(Path before, Path after) throws Exception {
    return new ForkedJvm(directory)
        .runJar("diff", before.toString(), after.toString(), "--fail-on", "new-leak");
  }

  /** Gradle is not among what this build brings: what it would build is the same sources. */
  @Test
  void theGradleProjectNamesTheSameVersion() throws IOException {
    Path project = ROOT.resolve("examples/in-tests-gradle");
    assertThat(Files.readString(project.resolve("build.gradle")))
        .contains("'org.buftrail:buftrail-junit:" + VERSION + "'")
        .contains("../in-tests-maven/src/test/java");
  }

  private String maven(Path repository, int exit, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Setting.property("buftrail.it.maven"),
                "--offline",
                "--batch-mode",
                "-Dmaven.repo.local=" + repository));
    command.addAll(List.of(arguments));
    Path out = directory.resolve("maven.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.resolve("project").toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("JAVA_HOME", Setting.OWN_JAVA.toString());
    builder.environment().put("GITHUB_ACTIONS", "true");
    builder.environment().put("GITHUB_WORKSPACE", builder.directory().toString());
    builder.environment().put("GITHUB_STEP_SUMMARY", directory.resolve("step.md").toString());
    builder.environment().remove("MAVEN_OPTS");
    builder.environment().remove("MAVEN_ARGS");
    Process process = builder.start();
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
    }
    String said = Files.readString(out);
    assertThat(process.exitValue()).as(said).isEqualTo(exit);
    return said;
  }

  /** The repository of the build and, beside it, what the build would publish. */
  private Path repository() throws IOException {
    Path local = Path.of(Setting.property("buftrail.it.repository"));
    // Not in the temporary directory, which is deleted: these are links to what is needed on.
    Path junit = Path.of(Setting.property("buftrail.it.junit"));
    Path repository = Files.createDirectories(junit.resolveSibling("repository"));
    link(local, repository, "org");
    Path org = Files.createDirectories(repository.resolve("org"));
    link(local.resolve("org"), org, "buftrail");
    publish(org, "buftrail-parent", "pom", ROOT.resolve("pom.xml"));
    publish(org, "buftrail-junit", "pom", ROOT.resolve("junit/pom.xml"));
    publish(org, "buftrail-junit", "jar", Path.of(Setting.property("buftrail.it.junit-extension")));
    return repository;
  }

  static void link(Path from, Path to, String without) throws IOException {
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.toList()) {
        Path link = to.resolve(entry.getFileName());
        if (!entry.endsWith(without) && !Files.isSymbolicLink(link)) {
          Files.createSymbolicLink(link, entry);
        }
      }
    }
  }

  private static void publish(Path org, String artifact, String type, Path file)
      throws IOException {
    Path place = org.resolve("buftrail").resolve(artifact).resolve(VERSION);
    Files.createDirectories(place);
    Files.copy(
        file,
        place.resolve(artifact + "-" + VERSION + "." + type),
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path name = from.relativize(file);
        if (!name.startsWith("target")) {
          Files.copy(file, to.resolve(name.toString()), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }
}
