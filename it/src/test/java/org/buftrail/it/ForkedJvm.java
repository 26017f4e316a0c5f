package org.buftrail.it;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs a program in a JVM of its own, usually under the packaged agent. */
public final class ForkedJvm {
  /** With these a JVM that ends soon takes two thirds of the processor time. */
  private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /**
   * A JVM collects by itself when its young generation is full or its classes outgrow a threshold,
   * both of which depend on the machine's memory. With these a short program does not reach them.
   */
  public static final List<String> ROOM =
      List.of("-Xms640m", "-Xmx640m", "-Xmn448m", "-XX:MetaspaceSize=256m");

  private final Path directory;
  private final List<String> jvmOptions = new ArrayList<>();
  private final List<String> command = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private List<String> prefix = List.of();
  private long timeoutSeconds = 120;
  private Path java = Setting.OWN_JAVA.resolve("bin").resolve("java");
  private @Nullable String classPath;

  /**
   * @param directory where the program runs and leaves its files
   */
  public ForkedJvm(Path directory) {
    this.directory = directory;
  }

  /** How a program ended and what it printed. */
  public record Result(int exit, String out, String err) {
    /** Lines on standard error that the agent wrote. */
    public List<String> agentLines() {
      return err.lines().filter(line -> line.startsWith("buftrail:")).toList();
    }
  }

  /**
   * Runs on this JVM with this Netty. With all but the newest Netty the JVM compiles quickly and
   * collects with one thread; with the newest it does as it does by itself.
   */
  public ForkedJvm on(Setting setting) {
    java = setting.java();
    classPath = setting.classPath();
    if (setting.isQuick()) {
      jvmOptions.addAll(QUICK);
    }
    return this;
  }

  ForkedJvm java(Path java) {
    this.java = java;
    return this;
  }

  /** Adds to the class path. */
  public ForkedJvm alsoOnClassPath(Path more) {
    classPath = classPath() + File.pathSeparator + more;
    return this;
  }

  /** In place of the programs and Netty. */
  public ForkedJvm classPath(List<Path> entries) {
    classPath = entries.stream().map(Path::toString).collect(joining(File.pathSeparator));
    return this;
  }

  private String classPath() {
    return classPath == null ? Setting.newest().classPath() : classPath;
  }

  /** How long it may run before the test fails. */
  public ForkedJvm timeoutSeconds(long seconds) {
    timeoutSeconds = seconds;
    return this;
  }

  public ForkedJvm option(String jvmOption) {
    jvmOptions.add(jvmOption);
    return this;
  }

  /** Adds what keeps a short program from collecting by itself, see {@link #ROOM}. */
  public ForkedJvm withRoom() {
    ROOM.forEach(this::option);
    return this;
  }

  /** Started by another command, which gets the JVM's as its last arguments. */
  public ForkedJvm after(List<String> prefix) {
    this.prefix = prefix;
    return this;
  }

  /** Sets a variable of its environment. */
  public ForkedJvm environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Runs under the packaged agent; may be called more than once. */
  public ForkedJvm agent(String options) {
    return agent(Setting.JAR, options);
  }

  public ForkedJvm agent(Path jar, String options) {
    return option("-javaagent:" + jar + (options.isEmpty() ? "" : "=" + options));
  }

  /** A class of the programs, and its arguments. */
  public Result run(Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    command.add("-cp");
    command.add(classPath());
    command.add(program.getName());
    command.addAll(List.of(arguments));
    return start();
  }

  /** What is written in full after the JVM's options. */
  public Result runCommand(String first, String second, String... arguments)
      throws IOException, InterruptedException {
    command.add(first);
    command.add(second);
    command.addAll(List.of(arguments));
    return start();
  }

  /** The packaged jar's command line. */
  public Result runJar(String... arguments) throws IOException, InterruptedException {
    jvmOptions.addAll(0, QUICK);
    command.add("-jar");
    command.add(Setting.JAR.toString());
    command.addAll(List.of(arguments));
    return start();
  }

  private Result start() throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(prefix);
    line.add(java.toString());
    line.addAll(jvmOptions);
    line.addAll(command);
    Path out = directory.resolve("stdout.txt");
    Path err = directory.resolve("stderr.txt");
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(
            name -> name.startsWith("JAVA_TOOL_OPTIONS") || name.equals("GITHUB_STEP_SUMMARY"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
      askForStacks(process);
      process.destroyForcibly().waitFor();
      throw new AssertionError(
          "still running after "
              + timeoutSeconds
              + " s: "
              + line
              + "\n"
              + Files.readString(err)
              + Files.readString(out));
    }
    return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  /** Has a JVM that does not end print what its threads do, and gives it time for that. */
  private static void askForStacks(Process process) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
    process.waitFor(5, TimeUnit.SECONDS);
  }
}
