package org.buftrail.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The demo service in a JVM of its own, under the packaged agent and a flight recording.
 *
 * <p>It ends when its standard input does, so that it cannot outlive this process.
 */
public final class ServiceProcess implements AutoCloseable {
  /** The flow snapshot that the agent writes. */
  public static final String FLOWS = "flows.json";

  /** The flight recording. */
  public static final String RECORDING = "recording.jfr";

  /** The output of the service and its JVM. */
  public static final String LOG = "service.log";

  private static final Pattern LIVE_PAGE = Pattern.compile("live page at (\\S+)");
  private static final long START_SECONDS = 60;
  private static final long STOP_SECONDS = 60;

  private final Path scratch;
  private final Path log;
  private final Process process;
  private final Thread atExit = new Thread(this::close);

  /**
   * Starts it.
   *
   * @param jar the packaged jar
   * @param directory where it leaves its files
   * @param port to listen on, 0 for any that is free
   * @param live whether the agent serves its live page
   */
  public ServiceProcess(Path jar, Path directory, int port, boolean live) throws IOException {
    scratch = Files.createTempDirectory("buftrail-demo");
    log = directory.resolve(LOG);
    try {
      String classPath = DemoJars.unpack(jar, Files.createDirectory(scratch.resolve("jars")));
      process = start(jar, classPath, directory, port, live);
    } catch (IOException | RuntimeException e) {
      deleteScratch();
      throw e;
    }
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  private Process start(Path jar, String classPath, Path directory, int port, boolean live)
      throws IOException {
    String options = "include=org.buftrail.examples;report=" + FLOWS + (live ? ";http=0" : "");
    // File names are relative to the directory: the options' own separators cannot be in them.
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-javaagent:" + jar + "=" + options,
            "-XX:StartFlightRecording=filename=" + RECORDING + ",settings=profile,dumponexit=true",
            "-Xmx256m",
            "-cp",
            classPath,
            "org.buftrail.examples.DemoService",
            Integer.toString(port),
            scratch.toString());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("BUFTRAIL_"));
    return builder.start();
  }

  /**
   * Waits until it serves.
   *
   * @return its port
   * @throws IOException saying why, if it does not start
   */
  public int awaitPort() throws IOException, InterruptedException {
    Path port = scratch.resolve("port");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!Files.exists(port)) {
      if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
        throw new IOException("the demo service did not start: " + reason());
      }
      if (System.nanoTime() > end) {
        throw new IOException(
            "the demo service did not start in " + START_SECONDS + " s; see " + log);
      }
    }
    return Integer.parseInt(Files.readString(port));
  }

  /**
   * The address of the live page, which is served before the service is.
   *
   * @throws IOException if it is not served
   */
  public String livePage() throws IOException {
    Matcher address = LIVE_PAGE.matcher(Files.readString(log));
    if (!address.find()) {
      throw new IOException("the live page is not served; see " + log);
    }
    return address.group(1);
  }

  /**
   * Ends it in order and waits for that.
   *
   * @return how many leaks it planted
   */
  public int stop() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("the demo service did not stop in " + STOP_SECONDS + " s; see " + log);
    }
    Path planted = scratch.resolve("planted");
    if (process.exitValue() != 0 || !Files.exists(planted)) {
      throw new IOException("the demo service failed: " + reason());
    }
    return Integer.parseInt(Files.readString(planted));
  }

  private String reason() throws IOException {
    Path failure = scratch.resolve("failure");
    return Files.exists(failure)
        ? Files.readString(failure)
        : "exit code " + process.exitValue() + ", see " + log;
  }

  /** Ends it in any way, and removes what was unpacked. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
      deleteScratch();
      if (Thread.currentThread() != atExit) {
        Runtime.getRuntime().removeShutdownHook(atExit);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException shuttingDown) {
      return;
    }
  }

  private void deleteScratch() {
    try (Stream<Path> files = Files.walk(scratch)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException leftToTheSystem) {
      return;
    }
  }
}
