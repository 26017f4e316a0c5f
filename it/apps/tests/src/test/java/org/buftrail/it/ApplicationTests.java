package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.buftrail.it.FlowsFile.FlowPath;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for every application: with the agent it answers as without, byte for byte; what it
 * loses is found, and nothing else.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ApplicationTests {
  private static final int LOST = 25;

  private final Map<Jvm, List<String>> answers = new HashMap<>();

  @TempDir private Path directory;

  /** What follows {@code java} and the JVM's options. */
  abstract List<String> commandLine();

  /** The package of the application. */
  abstract String include();

  /**
   * The path of what it loses, as a regular expression: a framework retains as often as it likes.
   */
  abstract String lostAt();

  /** The same after an attach. */
  String lostAtAfterAttach() {
    return lostAt();
  }

  /** Calls whose answers are compared. Two sorts come later: the first after an attach, detach. */
  int calls() {
    return 60;
  }

  /** Calls of the load, before and after what happens under it. */
  int load() {
    return 300;
  }

  /** Where it is to run. */
  void prepare(Path directory) throws IOException {}

  /** What it is to find in its environment. */
  Map<String, String> environment() {
    return Map.of();
  }

  static List<Jvm> jvms() throws IOException, InterruptedException {
    return Jvm.all().toList();
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void withTheAgentFromTheStart(Jvm jvm) throws Exception {
    List<String> expected = answersWithout(jvm);
    List<String> line = line();
    line.add(0, "-javaagent:" + RunningApplication.JAR + "=" + options());
    try (RunningApplication application = start(jvm, "with", line)) {
      assertThat(application.calls(allCalls())).isEqualTo(expected);
      application.load();
      application.loaded(load());
      assertThat(application.unload()).isEmpty();
      assertLeaks(application.collected(0), 0, lostAt());
      application.lose(LOST);
      assertLeaks(application.collected(LOST), LOST, lostAt());
      assertThat(application.calls(allCalls())).isEqualTo(expected);
      application.program().endInput();
      assertLeaks(application.reports(), LOST, lostAt());
      assertThat(application.agentLines())
          .satisfiesExactly(
              started -> assertThat(started).contains("following Netty buffers"),
              ended -> assertThat(ended).contains("report written to"));
    }
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void attachedUnderLoadAndDetached(Jvm jvm) throws Exception {
    List<String> expected = answersWithout(jvm);
    List<String> line = line();
    line.add(0, "-Xlog:redefine+class+load=info,class+load=info:file=" + LoadedClassesLog.FILE);
    try (RunningApplication application = start(jvm, "attached", line)) {
      assertThat(application.calls(calls())).isEqualTo(expected.subList(0, calls()));
      application.load();
      application.loaded(load());
      application.attach(options());
      application.loaded(load());
      assertThat(application.unload()).isEmpty();
      assertThat(application.calls(calls() + 1)).isEqualTo(expected.subList(0, calls() + 1));
      assertLeaks(application.collected(0), 0, lostAtAfterAttach());
      application.lose(LOST);
      assertLeaks(application.collected(LOST), LOST, lostAtAfterAttach());
      List<LoadedClassesLog> woven = application.loadedClasses();
      application.load();
      application.loaded(load());
      application.detach();
      application.loaded(load());
      assertThat(application.unload()).isEmpty();
      assertThat(application.calls(allCalls())).isEqualTo(expected);
      assertRestored(woven, application.loadedClasses());
      assertNothingAdds(application);
      assertThat(application.calls(allCalls())).isEqualTo(expected);
      application.program().endInput();
    }
  }

  private static void assertRestored(List<LoadedClassesLog> woven, List<LoadedClassesLog> now) {
    assertThat(now).hasSameSizeAs(woven);
    for (int i = 0; i < woven.size(); i++) {
      woven.get(i).assertRestored(now.get(i));
    }
  }

  /** What stays of the agent after a detach is there once, however often it comes. */
  private void assertNothingAdds(RunningApplication application) throws Exception {
    List<String> threads = application.agentThreads();
    for (int i = 0; i < 2; i++) {
      application.attach(options());
      application.detach();
    }
    assertThat(application.agentThreads()).isEqualTo(threads);
    for (LoadedClassesLog log : application.loadedClasses()) {
      log.assertNoneOfOursTwice();
    }
  }

  private List<String> answersWithout(Jvm jvm) throws IOException, InterruptedException {
    List<String> known = answers.get(jvm);
    if (known != null) {
      return known;
    }
    try (RunningApplication application = start(jvm, "without", line())) {
      List<String> first = application.calls(allCalls());
      application.program().endInput();
      answers.put(jvm, first);
      return first;
    }
  }

  private int allCalls() {
    return calls() + 2;
  }

  private RunningApplication start(Jvm jvm, String name, List<String> line) throws IOException {
    Path own = Files.createDirectories(directory.resolve(name));
    prepare(own);
    return new RunningApplication(own, jvm, line, environment());
  }

  private List<String> line() {
    List<String> line = new ArrayList<>(List.of("-Xmx512m"));
    line.addAll(commandLine());
    return line;
  }

  private String options() {
    return "include=" + include() + ";report=" + RunningApplication.REPORT;
  }

  /** In all its processes together. */
  private static void assertLeaks(List<FlowsFile> processes, int leaks, String lostAt) {
    List<FlowPath> leaked =
        processes.stream()
            .flatMap(flows -> flows.paths().stream())
            .filter(path -> path.leaked() > 0)
            .toList();
    assertThat(processes.stream().mapToLong(flows -> flows.total("leaked")).sum())
        .as(leaked.toString())
        .isEqualTo(leaks);
    assertThat(leaked).allSatisfy(path -> assertThat(path.hops()).matches(lostAt));
    for (FlowsFile flows : processes) {
      assertThat(flows.isBalanced()).as(flows.totals().toString()).isTrue();
      assertThat(flows.total("released")).isPositive();
    }
  }

  /** The class path of an application, and its main class. */
  static List<String> shop(String module, String packageName) {
    List<String> classPath = new ArrayList<>(List.of(classes(module).toString()));
    libraries(module).forEach(library -> classPath.add(library.toString()));
    return List.of(
        "-cp",
        String.join(File.pathSeparator, classPath),
        "org.buftrail.apps." + packageName + ".Shop");
  }

  static Path classes(String module) {
    return RunningApplication.APPS.resolve(module).resolve("target").resolve("classes");
  }

  /** The jars of what it is built with. */
  static List<Path> libraries(String module) {
    try {
      String classPath = Files.readString(classes(module).resolveSibling("classpath.txt"));
      return Pattern.compile(Pattern.quote(File.pathSeparator))
          .splitAsStream(classPath)
          .map(Path::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
