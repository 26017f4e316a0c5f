package org.buftrail.it.states;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.buftrail.it.ForkedJvm;
import org.buftrail.it.RunningProgram;
import org.buftrail.it.Setting;
import org.jspecify.annotations.Nullable;

/** A program under the packaged agent with everything on that shows figures. */
final class Scene implements AutoCloseable {
  static final String SERVICES =
      "snapshotDir=snapshots;snapshotFiles=1000;every=2s;http=0;otlpEvery=1s;metricsEvery=1s"
          + ";metricsHandlers=micrometer,opentelemetry;otlp=";

  /** A flight recording that has what is live each second. */
  static final String RECORDING =
      "-XX:StartFlightRecording=filename=flows.jfr,+buftrail.LiveFlows#period=1s,"
          + "+buftrail.FlowStatistics#period=1s";

  private static final Pattern PAGE =
      Pattern.compile("live page at (http://127\\.0\\.0\\.1:\\d+/)#token=([0-9a-f]{32})");

  /** Where the program runs. */
  final Path directory;

  final Receiver receiver;
  private final RunningProgram program;
  private @Nullable JMXConnector connector;
  private int moment;
  private int meters;

  private Scene(Path directory, Receiver receiver, RunningProgram program) {
    this.directory = directory;
    this.receiver = receiver;
    this.program = program;
  }

  /** Starts a program with the agent. */
  static Scene start(Setting setting, Path directory, Class<?> main, String options, String... more)
      throws IOException {
    Receiver receiver = new Receiver();
    List<String> line = new ArrayList<>(List.of(more));
    line.add("-javaagent:" + Setting.JAR + "=" + options + ";" + SERVICES + receiver.address());
    line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath(setting)));
    line.add(main.getName());
    return new Scene(directory, receiver, new RunningProgram(directory, setting.java(), line));
  }

  /** Starts a program without the agent. */
  static Scene plain(Setting setting, Path directory, Class<?> main, String... arguments)
      throws IOException {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    line.addAll(List.of("-cp", Setting.PROGRAMS.toString(), main.getName()));
    line.addAll(List.of(arguments));
    Receiver receiver = new Receiver();
    return new Scene(directory, receiver, new RunningProgram(directory, setting.java(), line));
  }

  /** Attaches the agent by its command. */
  void attach(String options) throws Exception {
    ForkedJvm.Result attached =
        program.command("attach", options + ";" + SERVICES + receiver.address());
    assertThat(attached.exit()).as(attached.err()).isZero();
  }

  /** A command with the process as its first argument. */
  void control(String command) throws Exception {
    ForkedJvm.Result result = program.command(command);
    assertThat(result.exit()).as(result.err()).isZero();
  }

  /** Programs, Netty, Micrometer and OpenTelemetry. */
  private static String classPath(Setting setting) {
    List<String> jars = new ArrayList<>(List.of(setting.classPath()));
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(jar -> jar.matches(".*/(micrometer|opentelemetry)-.*"))
        .filter(jar -> !jar.contains("proto"))
        .forEach(jars::add);
    return String.join(File.pathSeparator, jars);
  }

  RunningProgram program() {
    return program;
  }

  /** Waits until the program stands still once more, and returns what it did by then. */
  Map<String, Long> next() throws Exception {
    if (moment > 0) {
      program.send("next");
    }
    moment++;
    program.await("ledger-" + moment);
    return ledger();
  }

  /** What the program has done. */
  Map<String, Long> ledger() throws IOException {
    return ledger(directory.resolve("ledger-" + moment));
  }

  /** What is in a ledger. */
  static Map<String, Long> ledger(Path file) throws IOException {
    Map<String, Long> ledger = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      int equals = line.indexOf('=');
      ledger.put(line.substring(0, equals), Long.valueOf(line.substring(equals + 1)));
    }
    return ledger;
  }

  /** Address and token of the page. */
  Matcher page() throws Exception {
    Matcher page = PAGE.matcher(program.err());
    for (int i = 0; i < 600 && !page.find(); i++) {
      Thread.sleep(100);
      page = PAGE.matcher(program.err());
    }
    page.reset();
    assertThat(page.find()).as(program.err()).isTrue();
    return page;
  }

  String get(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(page().group(1) + path))
            .header("Authorization", "Bearer " + page().group(2))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** What a command of the packaged jar prints, or writes where it is told a file. */
  String command(String... arguments) throws Exception {
    Path own = Files.createTempDirectory(directory, arguments[0]);
    ForkedJvm.Result result = new ForkedJvm(own).runJar(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out();
  }

  /** The report of now in a format, as {@code dump} writes it. */
  byte[] dump(String ending) throws Exception {
    return Files.readAllBytes(dumped(ending));
  }

  Path dumped(String ending) throws Exception {
    Path file = Files.createTempDirectory(directory, "dump").resolve("flows." + ending);
    command("dump", program.pid(), "-o", file.toString());
    return file;
  }

  /** Like the above for the management bean, which the command asks. */
  byte[] rendered(String ending) throws Exception {
    String[] types = {String.class.getName()};
    return (byte[]) server().invoke(bean(), "render", new Object[] {ending}, types);
  }

  /** What the application's own meters say now. */
  String meters(String library) throws Exception {
    program.send("meters");
    meters++;
    program.await("micrometer-" + meters);
    return program.read(library + "-" + meters);
  }

  /** A file that the program or the agent has left. */
  byte[] file(String name) throws IOException {
    return Files.readAllBytes(directory.resolve(name));
  }

  /** Ends the program as it ends by itself. */
  void end() throws Exception {
    disconnect();
    program.endInput();
  }

  /** The newest of the snapshots that the agent took by itself; {@code {}} before the first. */
  byte[] snapshot(String reason) throws IOException {
    Path snapshots = directory.resolve("snapshots");
    if (!Files.isDirectory(snapshots)) {
      return "{}".getBytes(StandardCharsets.UTF_8);
    }
    try (Stream<Path> files = Files.list(snapshots)) {
      Path newest =
          files
              .filter(file -> file.toString().endsWith("-" + reason + ".json"))
              .sorted()
              .reduce((one, other) -> other)
              .orElse(null);
      return newest == null ? "{}".getBytes(StandardCharsets.UTF_8) : Files.readAllBytes(newest);
    }
  }

  MBeanServerConnection server() throws Exception {
    if (connector == null) {
      connector = connect(program.pid());
    }
    MBeanServerConnection server = connector.getMBeanServerConnection();
    // The connector makes the server, and the agent comes to it a moment later.
    for (int i = 0; i < 600 && !server.isRegistered(bean()); i++) {
      Thread.sleep(100);
    }
    return server;
  }

  static ObjectName bean() throws JMException {
    return new ObjectName("org.buftrail:type=FlowTracker");
  }

  /** The address is the local connector's, given by the JVM itself. */
  @SuppressWarnings("BanJNDI")
  private static JMXConnector connect(String pid) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(pid);
    try {
      return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
    } finally {
      machine.detach();
    }
  }

  private void disconnect() throws IOException {
    if (connector != null) {
      connector.close();
      connector = null;
    }
  }

  @Override
  public void close() throws IOException {
    program.close();
    receiver.close();
    disconnect();
  }
}
