package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.it.programs.Exhausted;
import org.buftrail.it.programs.Operated;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Looks at a running program from outside: management bean, page, commands, events, snapshots. */
@Isolated("counts on looks that the agent takes at its own times")
final class OperationsIT {
  private static final Pattern PAGE =
      Pattern.compile("live page at (http://127\\.0\\.0\\.1:\\d+/)#token=([0-9a-f]{32})");
  private static final int TIMEOUT_SECONDS = 90;

  @TempDir private Path directory;
  private @Nullable Process started;

  private void start(String agentOptions, Class<?> program, String... jvmOptions)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(Setting.newest().java().toString()));
    command.addAll(List.of(jvmOptions));
    command.add("-javaagent:" + Setting.JAR + "=" + FlowCases.INCLUDE + ";" + agentOptions);
    command.addAll(List.of("-cp", Setting.newest().classPath(), program.getName()));
    started =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(directory.resolve("stdout.txt").toFile())
            .redirectError(directory.resolve("stderr.txt").toFile())
            .start();
  }

  @AfterEach
  void end() {
    if (started != null) {
      started.destroyForcibly();
    }
  }

  private Process process() {
    return Objects.requireNonNull(started);
  }

  private String stderr() throws IOException {
    return Files.readString(directory.resolve("stderr.txt"));
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private void await(String what, Condition condition) throws Exception {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!condition.holds()) {
      assertThat(process().isAlive() || Files.exists(directory.resolve("stop")))
          .as("waiting for %s: %s", what, stderr())
          .isTrue();
      assertThat(System.nanoTime() - until).as("waiting for %s: %s", what, stderr()).isNegative();
      Thread.sleep(50);
    }
  }

  private ForkedJvm.Result command(String... arguments) throws Exception {
    Path place = Files.createDirectories(directory.resolve("commands"));
    return new ForkedJvm(place).runJar(arguments);
  }

  @Test
  void aRunningProgramIsSeenFromOutside() throws Exception {
    start(
        "http=0;snapshotDir=snapshots;every=2s;alert=leaked>4",
        Operated.class,
        "-XX:StartFlightRecording=filename=flows.jfr");
    await("the program", () -> Files.exists(directory.resolve("ready")));
    await("the page", () -> PAGE.matcher(stderr()).find());
    assertPage();
    List<String> listeners = Listeners.of(process().pid());
    assertThat(listeners).as("of the page").hasSize(1);
    assertCommands();
    assertThat(Listeners.of(process().pid())).isEqualTo(listeners);
    assertBeanAndNotification();
    Files.createFile(directory.resolve("stop"));
    assertThat(process().waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process().exitValue()).isZero();
    assertThat(Files.readString(directory.resolve("stdout.txt"))).doesNotContain("buftrail");
    assertEvents();
    assertPrintedEvents();
    assertSnapshots();
  }

  private void assertPage() throws Exception {
    Matcher m = PAGE.matcher(stderr());
    assertThat(m.find()).isTrue();
    HttpClient client = HttpClient.newHttpClient();
    await(
        "leaks in the metrics",
        () ->
            client
                .send(
                    HttpRequest.newBuilder(URI.create(m.group(1) + "metrics"))
                        .header("Authorization", "Bearer " + m.group(2))
                        .build(),
                    HttpResponse.BodyHandlers.ofString())
                .body()
                .contains("buftrail_buffers_leaked_total{memory=\"direct\"} 5\n"));
    HttpResponse<String> refused =
        client.send(
            HttpRequest.newBuilder(URI.create(m.group(1) + "metrics")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(401);
  }

  private void assertCommands() throws Exception {
    String pid = Long.toString(process().pid());
    Path dump = directory.resolve("dump.json");
    ForkedJvm.Result dumped = command("dump", pid, "-o", dump.toString());
    assertThat(dumped.exit()).as(dumped.err()).isZero();
    FlowsFile flows = FlowsFile.read(dump);
    assertThat(flows.summaries())
        .containsExactlyInAnyOrder(
            "PooledByteBufAllocator.directBuffer > Operated.handle > Operated.hold 0/0/4",
            "PooledByteBufAllocator.directBuffer > Operated.handle > Operated.forget 0/5/0",
            "PooledByteBufAllocator.directBuffer > Operated.handle > Operated.handle"
                + " > ByteBuf.release 3/0/0");
    ForkedJvm.Result top = command("top", pid, "-n", "3", "--interval", "1");
    assertThat(top.exit()).as(top.err()).isZero();
    assertThat(top.out().lines())
        .filteredOn(line -> line.startsWith("live 4.0 KiB in 4   leaked 5.0 KiB in 5"))
        .hasSize(3);
    assertThat(command("off", pid).exit()).isZero();
    assertThat(command("dump", pid).out()).contains("NOT FOLLOWING new buffers");
    assertThat(command("on", pid).exit()).isZero();
    assertThat(command("reset", pid).exit()).isZero();
    ForkedJvm.Result after = command("dump", pid, "--format", "llm");
    assertThat(after.out()).contains(" allocated=4 released=0 leaked=0 live=4 ");
  }

  /** The address is the local connector's, given by the JVM itself. */
  @SuppressWarnings("BanJNDI")
  private void assertBeanAndNotification() throws Exception {
    VirtualMachine machine = VirtualMachine.attach(Long.toString(process().pid()));
    String address = machine.startLocalManagementAgent();
    machine.detach();
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName bean = new ObjectName("org.buftrail:type=FlowTracker");
      // The connector has just had the server made, and the agent looks for that now and then.
      await("the bean", () -> server.isRegistered(bean));
      assertThat(server.getAttribute(bean, "ActiveFlowCount")).isEqualTo(4L);
      assertReference(server, bean);
      BlockingQueue<Notification> heard = new LinkedBlockingQueue<>();
      server.addNotificationListener(
          bean, (notification, handback) -> heard.add(notification), null, null);
      // The first look after a listener came only learns what had leaked already.
      Thread.sleep(8_000);
      Files.createFile(directory.resolve("more"));
      Notification leak = heard.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      while (leak != null && !leak.getType().equals("org.buftrail.leak.path")) {
        leak = heard.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      }
      CompositeData path = (CompositeData) Objects.requireNonNull(leak).getUserData();
      assertThat(path.get("count")).isEqualTo(2L);
      assertThat(path.get("bytes")).isEqualTo(1_024L);
      assertThat(path.get("direct")).isEqualTo(false);
      assertThat((String) path.get("path")).contains("Operated.lose").contains("Operated.forget");
    }
    // The double release comes after the leak: its event may take one more look of the agent.
    Thread.sleep(3_000);
  }

  /** The attributes and operations of the reference. */
  private void assertReference(MBeanServerConnection server, ObjectName bean) throws Exception {
    assertThat((String) server.getAttribute(bean, "TreeView")).contains("Operated.hold");
    assertThat((String) server.getAttribute(bean, "LLMView")).startsWith("METADATA\n");
    assertThat((String) server.getAttribute(bean, "Summary")).contains("live");
    assertThat(server.getAttribute(bean, "RootCount")).isEqualTo(1);
    Path file = directory.resolve("exported.json");
    String[] types = {String.class.getName(), String.class.getName()};
    server.invoke(bean, "exportToFile", new Object[] {file.toString(), "json"}, types);
    assertThat(FlowsFile.read(file).total("live")).isEqualTo(4);
    server.invoke(bean, "reset", new Object[0], new String[0]);
    assertThat(server.getAttribute(bean, "LeakedCount")).isEqualTo(0L);
  }

  private void assertEvents() throws IOException {
    List<RecordedEvent> all = RecordingFile.readAllEvents(directory.resolve("flows.jfr"));
    List<RecordedEvent> leaks = named(all, "buftrail.Leak");
    List<RecordedEvent> lost =
        leaks.stream().filter(e -> e.getString("path").contains("Operated.lose")).toList();
    assertThat(lost).isNotEmpty().noneMatch(e -> e.getBoolean("direct"));
    assertThat(lost.stream().mapToLong(e -> e.getLong("count")).sum()).isEqualTo(2);
    assertThat(lost.stream().mapToLong(e -> e.getLong("bytes")).sum()).isEqualTo(1_024);
    assertThat(named(all, "buftrail.DoubleRelease"))
        .singleElement()
        .satisfies(
            e -> {
              assertThat(e.getString("kind")).isEqualTo("double release");
              assertThat(e.getString("place")).contains("Operated.misbehave");
              assertThat(e.getString("path")).contains("Operated.misbehave");
            });
    assertThat(named(all, "buftrail.LiveFlows"))
        .anySatisfy(e -> assertThat(e.getLong("count")).isEqualTo(4));
  }

  /** What the JDK's own tool makes of them, with units. */
  private void assertPrintedEvents() throws Exception {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "jfr");
    Path recording = directory.resolve("flows.jfr");
    Path printed = directory.resolve("printed.txt");
    Process print =
        new ProcessBuilder(
                tool.toString(),
                "print",
                "--events",
                "buftrail.Leak,buftrail.LiveFlows,buftrail.DoubleRelease",
                recording.toString())
            .redirectOutput(printed.toFile())
            .start();
    assertThat(print.waitFor()).isZero();
    assertThat(Files.readString(printed))
        .containsPattern(
            "buftrail\\.Leak \\{[^}]*path = \"[^\"]*Operated\\.lose:\\d+[^}]*bytes = (512 bytes|1\\.0 kB)"
                + "[^}]*age = [0-9.]+ m?s\\s[^}]*direct = false")
        .containsPattern(
            "buftrail\\.LiveFlows \\{[^}]*Operated\\.hold:\\d+\"[^}]*count = 4\\s[^}]*bytes = 4\\.0 kB"
                + "[^}]*direct = true[^}]*oldest = [0-9.]+ (ms|s|m)\\s")
        .containsPattern(
            "buftrail\\.DoubleRelease \\{[^}]*kind = \"double release\"[^}]*count = 1\\s");
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream().filter(e -> e.getEventType().getName().equals(name)).toList();
  }

  private List<String> snapshots() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("snapshots"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void assertSnapshots() throws IOException {
    List<String> names = snapshots();
    assertThat(names).filteredOn(name -> name.endsWith("-every.json")).hasSizeGreaterThan(2);
    assertThat(names).filteredOn(name -> name.endsWith("-alert-leaked.json")).hasSize(1);
    String last = names.get(names.size() - 1);
    assertThat(last).endsWith("-shutdown.json");
    FlowsFile flows = FlowsFile.read(directory.resolve("snapshots").resolve(last));
    assertThat(flows.total("leaked")).isEqualTo(7);
    assertThat(stderr()).contains("buftrail: alert: leaked is 5, above 4");
  }

  @Test
  void runningOutOfDirectMemoryLeavesASnapshot() throws Exception {
    start("snapshotDir=snapshots", Exhausted.class, "-XX:MaxDirectMemorySize=64m");
    assertThat(process().waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process().exitValue()).as(stderr()).isZero();
    List<String> names = snapshots();
    assertThat(names).hasSize(2);
    assertThat(names.get(0)).endsWith("-oom.json");
    FlowsFile flows = FlowsFile.read(directory.resolve("snapshots").resolve(names.get(0)));
    assertThat(flows.summaries()).hasSize(1);
    assertThat(flows.total("liveBytes")).isGreaterThan(32L << 20);
  }
}
