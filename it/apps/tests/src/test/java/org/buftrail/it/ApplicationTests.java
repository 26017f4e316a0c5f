package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.it.FlowsFile.FlowPath;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for every application: with the agent it answers as without, byte for byte; what it
 * loses is found, and nothing else.
 */
abstract class ApplicationTests {
  private static final int CALLS = 60;

  /** Calls of sorts that come late: the first after an attach, the first after a detach. */
  private static final int ALL_CALLS = CALLS + 2;

  private static final int LOAD = 300;
  private static final int LOST = 25;

  @TempDir private Path directory;

  /** What follows {@code java} and the JVM's options. */
  abstract List<String> commandLine();

  /** The package of the application. */
  abstract String include();

  /**
   * The path of what it loses, as a regular expression: a framework retains as often as it likes.
   */
  abstract String lostAt();

  static List<Jvm> jvms() {
    return Jvm.all().toList();
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void withTheAgentFromTheStart(Jvm jvm) throws Exception {
    List<String> expected = answersWithout(jvm);
    List<String> line = line();
    line.add(0, "-javaagent:" + RunningApplication.JAR + "=" + options() + ";report=flows.json");
    try (RunningApplication application = start(jvm, "with", line)) {
      assertThat(answers(application, ALL_CALLS)).isEqualTo(expected);
      application.load();
      application.loaded(LOAD);
      assertThat(application.unload()).isEmpty();
      assertLeaks(application.collected(0), 0);
      application.lose(LOST);
      assertLeaks(application.collected(LOST), LOST);
      assertThat(answers(application, ALL_CALLS)).isEqualTo(expected);
      application.program().endInput();
      assertLeaks(FlowsFile.read(application.directory().resolve("flows.json")), LOST);
      assertThat(application.agentLines())
          .satisfiesExactly(
              started -> assertThat(started).contains("following Netty buffers"),
              ended -> assertThat(ended).contains("report written to"));
    }
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void attachedUnderLoadAndDetached(Jvm jvm) throws Exception {
    List<String> line = line();
    line.add(0, "-Xlog:redefine+class+load=info:file=" + Redefined.FILE);
    try (RunningApplication application = start(jvm, "attached", line)) {
      List<String> expected = answersWithout(jvm);
      assertThat(answers(application, CALLS)).isEqualTo(expected.subList(0, CALLS));
      application.load();
      application.loaded(LOAD);
      application.attach(options() + ";report=flows.json");
      application.loaded(LOAD);
      assertThat(application.unload()).isEmpty();
      assertThat(answers(application, CALLS + 1)).isEqualTo(expected.subList(0, CALLS + 1));
      assertLeaks(application.collected(0), 0);
      application.lose(LOST);
      assertLeaks(application.collected(LOST), LOST);
      Redefined redefined = Redefined.read(application.directory());
      application.load();
      application.loaded(LOAD);
      application.detach();
      application.loaded(LOAD);
      assertThat(application.unload()).isEmpty();
      assertThat(answers(application, ALL_CALLS)).isEqualTo(expected);
      assertThat(application.threads()).noneMatch(name -> name.contains("buftrail"));
      redefined.assertRestored(Redefined.read(application.directory()));
      application.program().endInput();
    }
  }

  private List<String> answersWithout(Jvm jvm) throws IOException, InterruptedException {
    try (RunningApplication application = start(jvm, "without", line())) {
      List<String> answers = answers(application, ALL_CALLS);
      application.program().endInput();
      return answers;
    }
  }

  private static List<String> answers(RunningApplication application, int calls)
      throws IOException, InterruptedException {
    return List.of(application.calls(calls).split(RunningApplication.BETWEEN_ANSWERS, -1));
  }

  private RunningApplication start(Jvm jvm, String name, List<String> line) throws IOException {
    return new RunningApplication(directory.resolve(name), jvm, line);
  }

  private List<String> line() {
    List<String> line = new ArrayList<>(List.of("-Xmx512m"));
    line.addAll(commandLine());
    return line;
  }

  private String options() {
    return "include=" + include();
  }

  private void assertLeaks(FlowsFile flows, int leaks) {
    List<FlowPath> leaked = flows.paths().stream().filter(path -> path.leaked() > 0).toList();
    assertThat(flows.total("leaked")).as(leaked.toString()).isEqualTo(leaks);
    assertThat(leaked).allSatisfy(path -> assertThat(path.hops()).matches(lostAt()));
    assertThat(flows.isBalanced()).as(flows.totals().toString()).isTrue();
    assertThat(flows.total("released")).isPositive();
  }

  /** The class path of an application, and its main class. */
  static List<String> shop(String module, String packageName) {
    Path target = RunningApplication.APPS.resolve(module).resolve("target");
    try {
      String classPath = Files.readString(target.resolve("classpath.txt"));
      return List.of(
          "-cp",
          target.resolve("classes") + File.pathSeparator + classPath,
          "org.buftrail.apps." + packageName + ".Shop");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
