package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A Spring Boot application with an archive of its classes, as docs/production.md makes it: beside
 * the agent the JVM still takes classes from there, and what is lost is found.
 */
final class ClassDataIT {
  private static final int LOST = 25;
  private static final int CALLS = 30;
  private static final String LOG = "classes.txt";

  @TempDir private Path directory;

  static Stream<Jvm> jvms() {
    return Jvm.all();
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void archive(Jvm jvm) throws Exception {
    extract(jvm);
    make(jvm, "-XX:ArchiveClassesAtExit=service.jsa");
    String use = "-XX:SharedArchiveFile=service.jsa";
    long without = run(jvm, use, List.of()).fromArchive();
    Run with = run(jvm, use, List.of("-javaagent:" + RunningApplication.JAR));
    // The agent asks the JDK for some that would come later, or never, and changes some of Netty's.
    assertThat(with.fromArchive()).isGreaterThan(without * 9 / 10);
    assertThat(with.line()).doesNotContain("through a map");
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void aotCache(Jvm jvm) throws Exception {
    assumeTrue(new Setting(jvm.home(), "").javaVersion() >= 25, "made in one step from Java 25 on");
    extract(jvm);
    make(
        jvm,
        "--add-modules",
        "java.instrument",
        "-XX:-AOTClassLinking",
        "-XX:AOTCacheOutput=s.aot");
    long without = run(jvm, "-XX:AOTCache=s.aot", List.of()).fromArchive();
    Run with = run(jvm, "-XX:AOTCache=s.aot", List.of("-javaagent:" + RunningApplication.JAR));
    assertThat(with.fromArchive()).isGreaterThan(without * 8 / 10);
    assertThat(with.line()).doesNotContain("through a map");
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void aotCacheThatLinksClasses(Jvm jvm) throws Exception {
    assumeTrue(new Setting(jvm.home(), "").javaVersion() >= 25, "made in one step from Java 25 on");
    extract(jvm);
    make(jvm, "--add-modules", "java.instrument", "-XX:AOTCacheOutput=s.aot");
    Run with = run(jvm, "-XX:AOTCache=s.aot", List.of("-javaagent:" + RunningApplication.JAR));
    assertThat(with.line())
        .contains("an AOT cache does that unless it was made with -XX:-AOTClassLinking")
        .contains("through a map");
  }

  private void extract(Jvm jvm) throws IOException, InterruptedException {
    Path jar = RunningApplication.APPS.resolve("boot/target/application.jar");
    start(
        jvm,
        List.of(
            "-Djarmode=tools", "-jar", jar.toString(), "extract", "--force", "--destination", "."));
  }

  private void make(Jvm jvm, String... options) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(options));
    line.addAll(List.of("-jar", "application.jar"));
    start(jvm, line);
  }

  /** Waits for its end; what reads standard input finds none. */
  private void start(Jvm jvm, List<String> arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(jvm.java().toString()));
    line.addAll(arguments);
    Path output = directory.resolve("output.txt");
    Process process =
        new ProcessBuilder(line)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    process.getOutputStream().close();
    assertThat(process.waitFor()).as(Files.readString(output)).isZero();
  }

  /**
   * An application that lost buffers.
   *
   * @param fromArchive its classes that came from there
   * @param line what the agent said
   */
  private record Run(long fromArchive, String line) {}

  private Run run(Jvm jvm, String archive, List<String> agent) throws Exception {
    List<String> line = new ArrayList<>(List.of(archive, "-Xlog:class+load:file=" + LOG));
    line.addAll(agent);
    line.addAll(List.of("-jar", "application.jar"));
    String lines;
    try (Stream<Path> results = Files.list(directory)) {
      for (Path result :
          results.filter(file -> file.getFileName().toString().startsWith("result")).toList()) {
        Files.delete(result);
      }
    }
    try (RunningApplication application = new RunningApplication(directory, jvm, line, Map.of())) {
      application.calls(CALLS);
      application.lose(LOST);
      if (!agent.isEmpty()) {
        List<FlowsFile> flows = application.collected(LOST);
        assertThat(flows.get(0).total("leaked")).isEqualTo(LOST);
      }
      lines = String.join("\n", application.agentLines());
      application.program().endInput();
    }
    try (Stream<String> loaded = Files.lines(directory.resolve(LOG))) {
      return new Run(loaded.filter(each -> each.contains("shared objects file")).count(), lines);
    }
  }
}
