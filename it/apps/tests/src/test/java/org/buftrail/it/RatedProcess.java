package org.buftrail.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server in an arm, with the processor time that the kernel counts for it.
 *
 * <p>That of a window is the sum over the threads that are there at its end, in nanoseconds: what
 * the kernel says of a process is sampled by the hundredth of a second.
 */
final class RatedProcess implements AutoCloseable {
  /** Linux counts that of a process in hundredths of a second. */
  private static final double JIFFY_MILLIS = 10;

  /** Compilers that take less than this share of a processor are at rest. */
  private static final double AT_REST = 0.01;

  private static final double LONGEST_WARM_UP_SECONDS = 40;

  private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");

  private static final Pattern PAGE = Pattern.compile("live page at (\\S+?)(#\\S*)?\\s");

  /** What is counted in a window of time. */
  record Window(long calls, double cpuMicros, double p50, double p99, double p999) {}

  private final RunningApplication application;
  private final int port;

  /** Processor time until it served, in milliseconds. */
  final double startMillis;

  RatedProcess(Path directory, Jvm jvm, RateArm arm, RatedService service)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("-Xms512m", "-Xmx512m"));
    line.addAll(arm.jvmOptions());
    line.addAll(service.server());
    Files.createDirectories(directory);
    application = new RunningApplication(directory, jvm, line, Map.of());
    port = application.port();
    startMillis = startMillis();
  }

  private Path proc(String file) {
    return Path.of("/proc", application.program().pid(), file);
  }

  private double startMillis() throws IOException {
    String stat = Files.readString(proc("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * JIFFY_MILLIS;
  }

  /** Processor time in nanoseconds by thread; of the JVM's compilers alone, or of all. */
  private Map<Path, Long> threads(boolean compilers) throws IOException {
    Map<Path, Long> nanos = new HashMap<>();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(proc("task"))) {
      for (Path task : tasks) {
        if (!compilers || COMPILER.matcher(text(task.resolve("comm"))).lookingAt()) {
          String schedule = text(task.resolve("schedstat"));
          if (!schedule.isEmpty()) {
            nanos.put(task, Long.parseLong(schedule.substring(0, schedule.indexOf(' '))));
          }
        }
      }
    }
    return nanos;
  }

  /** Empty where the thread has ended. */
  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  private static double micros(Map<Path, Long> before, Map<Path, Long> after) {
    long nanos = 0;
    for (Map.Entry<Path, Long> thread : after.entrySet()) {
      nanos += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
    }
    return nanos / 1_000.0;
  }

  /** Calls it until the JVM's compilers are at rest, or for forty seconds. */
  void warm(Client client, double rate, double seconds) throws IOException {
    for (double warmed = 0; warmed < LONGEST_WARM_UP_SECONDS; warmed += seconds) {
      Map<Path, Long> before = threads(true);
      client.call(port, rate, seconds);
      if (micros(before, threads(true)) < AT_REST * seconds * 1_000_000) {
        return;
      }
    }
  }

  /** The resident set in MiB. */
  double residentMebibytes() throws IOException {
    for (String line : Files.readAllLines(proc("status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
      }
    }
    throw new IOException("no resident set in " + proc("status"));
  }

  /** Calls it from the process of a client, so many times a second. */
  Window call(Client client, double rate, double seconds) throws IOException {
    Map<Path, Long> before = threads(false);
    double[] answer = client.call(port, rate, seconds);
    double cpuMicros = micros(before, threads(false));
    return new Window((long) answer[0], cpuMicros, answer[1], answer[2], answer[3]);
  }

  /** What an open page asks for every five seconds. */
  void lookAtPage() throws IOException {
    Matcher page = PAGE.matcher(application.program().err());
    if (!page.find()) {
      throw new IOException("no page in " + application.program().err());
    }
    for (String path : List.of("api/flows", "api/history")) {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(page.group(1) + path).toURL().openConnection();
      connection.getInputStream().readAllBytes();
      connection.disconnect();
    }
  }

  @Override
  public void close() {
    application.close();
  }

  /** The process that calls servers. */
  static final class Client implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;

    Client(Jvm jvm, RatedService service) throws IOException {
      List<String> command =
          new ArrayList<>(List.of(jvm.java().toString(), "-Xmx256m", "-XX:+UseSerialGC"));
      command.addAll(service.client());
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      answers =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private double[] call(int port, double rate, double seconds) throws IOException {
      String line = port + " " + rate + " " + seconds + "\n";
      process.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      String answer = answers.readLine();
      if (answer == null) {
        throw new IOException("the client has ended");
      }
      return Pattern.compile(" ").splitAsStream(answer).mapToDouble(Double::parseDouble).toArray();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
