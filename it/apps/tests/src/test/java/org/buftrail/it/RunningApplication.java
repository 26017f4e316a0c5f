package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** An application that does what the lines on its standard input say. */
final class RunningApplication implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** The packaged jar. */
  static final Path JAR = Path.of(System.getProperty("buftrail.jar"));

  /** Where the modules of the applications are. */
  static final Path APPS = Path.of(System.getProperty("buftrail.apps"));

  /** As the driver writes it. */
  static final String BETWEEN_ANSWERS = "\n----\n";

  private final Path directory;
  private final RunningProgram program;
  private int commands;

  RunningApplication(Path directory, Jvm jvm, List<String> line) throws IOException {
    this.directory = Files.createDirectories(directory);
    program = new RunningProgram(directory, jvm.java(), line);
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
  String calls(int count) throws IOException, InterruptedException {
    return command("calls " + count);
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

  /** Loses so many buffers. */
  void lose(int count) throws IOException, InterruptedException {
    command("lose " + count);
  }

  List<String> threads() throws IOException, InterruptedException {
    return command("threads").lines().toList();
  }

  /** A snapshot once so many leaks are known, or in vain for a while. */
  FlowsFile collected(int leaks) throws IOException, InterruptedException {
    Instant end = Instant.now().plus(DEADLINE);
    FlowsFile flows;
    do {
      // What was collected through the map is known one collection later.
      for (int i = 0; i < 2; i++) {
        command("collect");
      }
      flows = program.dump();
    } while (flows.total("leaked") < leaks && Instant.now().isBefore(end));
    return flows;
  }

  void attach(String options) throws IOException, InterruptedException {
    ForkedJvm.Result result = program.command("attach", options);
    assertThat(result.exit()).as(result.err()).isZero();
  }

  void detach() throws IOException, InterruptedException {
    ForkedJvm.Result result = program.command("detach");
    assertThat(result.exit()).as(result.err()).isZero();
  }

  /** Lines on standard error that the agent wrote. */
  List<String> agentLines() throws IOException {
    return program.err().lines().filter(line -> line.startsWith("buftrail:")).toList();
  }

  RunningProgram program() {
    return program;
  }

  Path directory() {
    return directory;
  }

  @Override
  public void close() {
    program.close();
  }
}
