package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A JVM that runs on while a test looks at it; ended with the test. */
public final class RunningProgram implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 180;

  private final Path directory;
  private final Process process;

  /**
   * Starts it.
   *
   * @param directory where it runs, and where its output goes
   * @param line what follows {@code java}
   */
  public RunningProgram(Path directory, Path java, List<String> line) throws IOException {
    this(directory, java, line, Map.of());
  }

  /** Starts it with more in its environment. */
  public RunningProgram(
      Path directory, Path java, List<String> line, Map<String, String> environment)
      throws IOException {
    this.directory = directory;
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(line);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(directory.resolve("stdout.txt").toFile())
            .redirectError(directory.resolve("stderr.txt").toFile());
    // JVMs that it starts itself are to be such as its own.
    builder.environment().remove("JAVA_HOME");
    builder.environment().putAll(environment);
    process = builder.start();
  }

  public String pid() {
    return Long.toString(process.pid());
  }

  public String err() throws IOException {
    return Files.readString(directory.resolve("stderr.txt"));
  }

  /** Writes a line to its standard input. */
  public void send(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Waits for a file that the program makes, unless it ends before. */
  public void await(String file) throws InterruptedException, IOException {
    Path made = directory.resolve(file);
    for (int i = 0; i < TIMEOUT_SECONDS * 20 && process.isAlive() && !Files.exists(made); i++) {
      Thread.sleep(50);
    }
    assertThat(directory.resolve(file)).as(err()).exists();
  }

  /** Makes a file that the program waits for. */
  public void create(String file) throws IOException {
    Files.createFile(directory.resolve(file));
  }

  /** Waits for a file with something in it, which appears as a whole. */
  public void write(String file, String text) throws IOException {
    Path made = Files.writeString(directory.resolve(file + ".part"), text);
    Files.move(made, directory.resolve(file));
  }

  public String read(String file) throws IOException {
    return Files.readString(directory.resolve(file));
  }

  public void delete(String file) throws IOException {
    Files.delete(directory.resolve(file));
  }

  /** Waits for a line on standard error. */
  public void awaitLine(String line) throws InterruptedException, IOException {
    for (int i = 0; i < TIMEOUT_SECONDS * 20 && err().lines().noneMatch(line::equals); i++) {
      Thread.sleep(50);
    }
    assertThat(err().lines()).contains(line);
  }

  /** Loads the agent as a debugger would; {@code detach} takes it out again. */
  public void load(String options) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(pid());
    try {
      machine.loadAgent(Setting.JAR.toString(), options);
    } finally {
      machine.detach();
    }
  }

  /** Asks the agent in it over the attach socket, as the commands do. */
  public String ask(String question) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(pid());
    try {
      machine.loadAgent(Setting.JAR.toString(), "reply=it;ask=" + question);
      return machine.getSystemProperties().getProperty("buftrail.reply", "");
    } finally {
      machine.detach();
    }
  }

  /** Runs a command of the packaged jar with the process as its first argument. */
  public ForkedJvm.Result command(String name, String... arguments)
      throws IOException, InterruptedException {
    Path own = Files.createTempDirectory(directory, name);
    List<String> line = new ArrayList<>(List.of(name, pid()));
    line.addAll(List.of(arguments));
    return new ForkedJvm(own).runJar(line.toArray(new String[0]));
  }

  /** A snapshot of now. */
  FlowsFile dump() throws IOException, InterruptedException {
    Path file = Files.createTempFile(directory, "dump", ".json");
    ForkedJvm.Result result = command("dump", "-o", file.toString());
    assertThat(result.exit()).as(result.err()).isZero();
    return FlowsFile.read(file);
  }

  /** Lets its input end, and waits until it has. */
  public void endInput() throws IOException, InterruptedException {
    process.getOutputStream().close();
    awaitEnd();
  }

  /** Makes the file {@code stop}, and waits until it has ended. */
  public void stop() throws IOException, InterruptedException {
    Files.createFile(directory.resolve("stop"));
    awaitEnd();
  }

  /** Asks it to end as {@code kill} does, and waits until it has; returns its exit value. */
  public int terminate() throws InterruptedException, IOException {
    process.destroy();
    assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as(err()).isTrue();
    return process.exitValue();
  }

  /** Waits until it has ended by itself. */
  public void awaitEnd() throws InterruptedException, IOException {
    assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(err()).isZero();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
