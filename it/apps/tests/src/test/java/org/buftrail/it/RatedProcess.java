package org.buftrail.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in an arm, with the processor time that the kernel counts for it. */
final class RatedProcess implements AutoCloseable {
  /** Linux counts in hundredths of a second. */
  private static final double JIFFY_MICROS = 10_000;

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
    startMillis = cpuMicros() / 1_000;
  }

  private Path proc(String file) {
    return Path.of("/proc", application.program().pid(), file);
  }

  private double cpuMicros() throws IOException {
    String stat = Files.readString(proc("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * JIFFY_MICROS;
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
    double before = cpuMicros();
    double[] answer = client.call(port, rate, seconds);
    return new Window((long) answer[0], cpuMicros() - before, answer[1], answer[2], answer[3]);
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
