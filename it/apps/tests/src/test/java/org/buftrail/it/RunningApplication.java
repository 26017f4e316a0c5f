package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An application that does what the lines on its standard input say. */
final class RunningApplication implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** The packaged jar. */
  static final Path JAR = Path.of(System.getProperty("buftrail.jar"));

  /** Where the modules of the applications are. */
  static final Path APPS = Path.of(System.getProperty("buftrail.apps"));

  /** Where each of its processes leaves its report, in the directory that it runs in. */
  static final String REPORT = "flows.json";

  /** As the driver writes it. */
  private static final String BETWEEN_ANSWERS = "\n----\n";

  private final Path directory;
  private final RunningProgram program;
  private int commands;

  RunningApplication(Path directory, Jvm jvm, List<String> line, Map<String, String> environment)
      throws IOException {
    this.directory = directory;
    program = new RunningProgram(directory, jvm.java(), line, environment);
  }

  /** Does a command and returns its result. */
  private String command(String command) throws IOException, InterruptedException {
    String file = "result" + ++commands;
    program.send(command + " " + file);
    program.await(file);
    String result = Files.readString(directory.resolve(file));
    if (result.startsWith("failed: ")) {
      throw new AssertionError(command + " " + result + "\n" + program.err());
    }
    return result;
  }

  /** Answers of so many calls, from the first on. */
  List<String> calls(int count) throws IOException, InterruptedException {
    return List.of(command("calls " + count).split(BETWEEN_ANSWERS, -1));
  }

  /** Calls on several threads from now on, each answer compared with the last known. */
  void load() throws IOException, InterruptedException {
    command("load");
  }

  /** Waits for so many more calls of the load. */
  void loaded(int more) throws IOException, InterruptedException {
    command("loaded " + more);
  }

  /** Ends the load and returns its wrong answers. */
  String unload() throws IOException, InterruptedException {
    return command("unload");
  }

  /** The port that it serves at. */
  int port() throws IOException, InterruptedException {
    return Integer.parseInt(command("port"));
  }

  /** Loses so many buffers. */
  void lose(int count) throws IOException, InterruptedException {
    command("lose " + count);
  }

  /** The agent's threads in all processes, without the one that ends soon after each command. */
  List<String> agentThreads() throws IOException, InterruptedException {
    return command("threads")
        .lines()
        .filter(name -> name.startsWith("buftrail") && !name.equals("buftrail-reply"))
        .sorted()
        .toList();
  }

  /** The ids of its processes. */
  private List<String> processes() throws IOException, InterruptedException {
    return command("processes").lines().toList();
  }

  /** Snapshots of all its processes once so many leaks are known, or in vain for a while. */
  List<FlowsFile> collected(int leaks) throws IOException, InterruptedException {
    Instant end = Instant.now().plus(DEADLINE);
    List<FlowsFile> flows = new ArrayList<>();
    do {
      // What was collected through the map is known one collection later.
      for (int i = 0; i < 2; i++) {
        command("collect");
      }
      flows.clear();
      for (String process : processes()) {
        Path file = Files.createTempFile(directory, "dump", ".json");
        buftrail("dump", process, "-o", file.toString());
        flows.add(FlowsFile.read(file));
      }
    } while (flows.stream().mapToLong(one -> one.total("leaked")).sum() < leaks
        && Instant.now().isBefore(end));
    return flows;
  }

  void attach(String options) throws IOException, InterruptedException {
    for (String process : processes()) {
      buftrail("attach", process, options);
    }
  }

  void detach() throws IOException, InterruptedException {
    for (String process : processes()) {
      buftrail("detach", process);
    }
  }

  /** Runs a command of the packaged jar. */
  private void buftrail(String... arguments) throws IOException, InterruptedException {
    Path own = Files.createTempDirectory(directory, arguments[0]);
    ForkedJvm.Result result = new ForkedJvm(own).runJar(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
  }

  /** The reports of all processes, once they have ended. */
  List<FlowsFile> reports() throws IOException {
    List<FlowsFile> reports = new ArrayList<>();
    for (Path file : files(REPORT)) {
      reports.add(FlowsFile.read(file));
    }
    return reports;
  }

  List<LoadedClassesLog> loadedClasses() throws IOException {
    List<LoadedClassesLog> logs = new ArrayList<>();
    for (Path file : files(LoadedClassesLog.FILE)) {
      logs.add(LoadedClassesLog.read(file));
    }
    return logs;
  }

  private List<Path> files(String name) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.endsWith(name)).sorted().toList();
    }
  }

  /** Lines on standard error that the agent wrote. */
  List<String> agentLines() throws IOException {
    return program.err().lines().filter(line -> line.startsWith("buftrail:")).toList();
  }

  RunningProgram program() {
    return program;
  }

  @Override
  public void close() {
    program.close();
  }
}
