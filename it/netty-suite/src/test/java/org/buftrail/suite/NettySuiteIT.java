package org.buftrail.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Netty's own tests have the same results with the agent as without, and need hardly more memory.
 * If a class is cut off, what all arms came to is compared.
 */
final class NettySuiteIT {
  private static final Path DIRECTORY = Path.of(System.getProperty("netty.suite.directory"));
  private static final String CHECKOUT = System.getProperty("netty.checkout", "");
  private static final double MORE_MEMORY = 1.3;

  /** What becomes of what is allocated. */
  private static final List<String> ENDS = List.of("released", "leaked", "held", "dropped", "live");

  private static final String CLASS = "[class:";

  static Stream<Arguments> cells() {
    String[] more = System.getProperty("buftrail.it.jvms", "").split(",", -1);
    String own = System.getProperty("java.home");
    String last = more[more.length - 1].strip();
    return Stream.of(own, last.isEmpty() ? own : last)
        .distinct()
        .flatMap(
            jvm ->
                Arrays.stream(System.getProperty("netty.modules").split(",", -1))
                    .map(module -> Arguments.of(jvm, module)));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void allResultsAreAsWithoutTheAgent(String jvm, String module) throws Exception {
    if (CHECKOUT.isEmpty()) {
      System.err.println("Netty's tests are not run: that needs -Dnetty.checkout=PATH");
    }
    assumeThat(CHECKOUT).as("-Dnetty.checkout").isNotEmpty();
    Cell cell = new Cell(jvm, module);
    List<String> classes = cell.classes();
    SuiteRun without = cell.run("without", "", classes);
    SuiteRun all = cell.run("io.netty", "include=io.netty", classes);
    SuiteRun none = cell.run("nothing", "include=nothing.here", classes);
    Set<String> differences = differences(without, all);
    differences.addAll(differences(without, none));
    List<String> lasting = cell.lasting(differences);
    say(jvm, module, "without", without, "");
    say(jvm, module, "include=io.netty", all, books(all));
    say(jvm, module, "include=nothing.here", none, books(none));
    differences.forEach(
        test ->
            say(
                jvm,
                module,
                "differs",
                test,
                with(test, without) + with(test, all) + with(test, none)));
    lasting.forEach(test -> say(jvm, module, "differs always", test, ""));
    assertThat(without.results()).isNotEmpty();
    assertThat(lasting).isEmpty();
    assertBooks(all);
    assertBooks(none);
    assertThat(all.peakKib()).isLessThan((long) (MORE_MEMORY * without.peakKib()));
    assertThat(none.peakKib()).isLessThan((long) (MORE_MEMORY * without.peakKib()));
  }

  /** Tests that ended otherwise, or in one of them alone unless their class was cut off. */
  private static Set<String> differences(SuiteRun one, SuiteRun other) {
    TreeSet<String> tests = new TreeSet<>(one.results().keySet());
    tests.addAll(other.results().keySet());
    TreeSet<String> cut = new TreeSet<>(one.unfinished());
    cut.addAll(other.unfinished());
    tests.removeIf(
        test -> {
          String here = one.results().get(test);
          String there = other.results().get(test);
          return (here != null && here.equals(there))
              || ((here == null || there == null) && cut.contains(classOf(test)));
        });
    return tests;
  }

  /**
   * {@code [engine:junit-jupiter]/[class:io.netty.SomeTest]/...} without what is around it; a class
   * in which JUnit itself failed stands alone. Empty for JUnit's engine.
   */
  private static String classOf(String test) {
    int begin = test.indexOf(CLASS);
    if (begin < 0) {
      return test.startsWith("[") ? "" : test;
    }
    return test.substring(begin + CLASS.length(), test.indexOf(']', begin + CLASS.length()));
  }

  private static String with(String test, SuiteRun run) {
    return " " + run.results().get(test) + " (" + run.reason(test) + ")";
  }

  private static void assertBooks(SuiteRun run) {
    assertThat(run.books()).isNotEmpty();
    for (JsonNode flows : run.books()) {
      JsonNode totals = flows.path("totals");
      assertThat(totals.path("suppressedErrors").asLong(-1)).as(totals.toString()).isZero();
    }
    assertThat(ENDS.stream().mapToLong(run::total).sum())
        .as(books(run))
        .isEqualTo(run.total("allocated"));
  }

  private static String books(SuiteRun run) {
    return Stream.concat(Stream.of("allocated", "suppressedErrors"), ENDS.stream())
        .map(name -> name + " " + run.total(name))
        .toList()
        .toString();
  }

  private static void say(Object... words) {
    String line = String.join(" ", Arrays.stream(words).map(Object::toString).toList());
    try {
      Files.writeString(
          DIRECTORY.resolve("netty-suite.txt"),
          line + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A module's tests on a JVM. */
  private record Cell(String jvm, String module) {
    private static final String SECONDS = System.getProperty("netty.class.seconds");
    private static final String HEAP = System.getProperty("netty.heap");
    private static final int REPETITIONS = 2;

    private static Path tests(String module) {
      return Path.of(CHECKOUT, module, "target", "test-classes");
    }

    List<String> classes() throws IOException {
      Path root = tests(module);
      assertThat(root).as("tests that Netty's build has compiled").isDirectory();
      try (Stream<Path> files = Files.walk(root)) {
        return files
            .map(file -> root.relativize(file).toString())
            .filter(file -> file.matches(".*Test[^/$]*\\.class"))
            .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
            .sorted()
            .toList();
      }
    }

    SuiteRun run(String name, String options, List<String> classes)
        throws IOException, InterruptedException {
      Path directory =
          Files.createTempDirectory(
              Files.createDirectories(
                  DIRECTORY.resolve("runs").resolve(Path.of(jvm).getFileName().toString())),
              module + "-" + name + "-");
      List<String> line = new ArrayList<>();
      line.add(Path.of(jvm, "bin", "java").toString());
      // The collector whose heap follows what is reachable most closely.
      line.addAll(
          List.of("-Xmx" + HEAP, "-XX:+UseSerialGC", "-ea", "-Dnet.bytebuddy.experimental=true"));
      if (!options.isEmpty()) {
        String jar = System.getProperty("buftrail.jar");
        line.add("-javaagent:" + jar + "=" + options + ";report=flows.json");
      }
      line.add("-cp");
      line.add(classPath());
      return new SuiteRun(directory, line, classes, SECONDS);
    }

    /** The module's tests first, then those that other modules' tests use, then the jars. */
    private String classPath() throws IOException {
      return String.join(
          File.pathSeparator,
          tests(module).toString(),
          tests("transport").toString(),
          tests("buffer").toString(),
          DIRECTORY.resolve("classes").toString(),
          Files.readString(DIRECTORY.resolve("classpath.txt")));
    }

    /** Those that differ each time that their classes are run again. */
    List<String> lasting(Set<String> tests) throws IOException, InterruptedException {
      TreeSet<String> left = new TreeSet<>(tests);
      for (int i = 0; i < REPETITIONS && !left.isEmpty(); i++) {
        List<String> classes =
            left.stream()
                .map(NettySuiteIT::classOf)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
        SuiteRun without = run("without", "", classes);
        Set<String> again = differences(without, run("io.netty", "include=io.netty", classes));
        again.addAll(differences(without, run("nothing", "include=nothing.here", classes)));
        // Where JUnit itself failed, no class can be run again to see whether it was by chance.
        left.removeIf(test -> !classOf(test).isEmpty() && !again.contains(test));
      }
      return List.copyOf(left);
    }
  }
}
