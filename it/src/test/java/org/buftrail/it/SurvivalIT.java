package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.buftrail.it.programs.FullHeap;
import org.buftrail.it.programs.Interrupter;
import org.buftrail.it.programs.RoundsWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's threads after what ends threads: interrupts, and a heap that is full. */
final class SurvivalIT {
  private static final int TIMEOUT_SECONDS = 90;
  private static final Pattern PAGE =
      Pattern.compile("live page at (http://127\\.0\\.0\\.1:\\d+/)#token=([0-9a-f]{32})");

  @TempDir private Path directory;

  private final AtomicInteger pushed = new AtomicInteger();
  private HttpServer receiver;

  @BeforeEach
  void receive() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          pushed.incrementAndGet();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    receiver.start();
  }

  @AfterEach
  void receiveNoMore() {
    receiver.stop(0);
  }

  private RunningProgram start(Class<?> program, String... jvmOptions) throws IOException {
    List<String> line = new ArrayList<>(List.of(jvmOptions));
    line.add(
        "-javaagent:"
            + Setting.JAR
            + "="
            + FlowCases.INCLUDE
            + ";report=flows.json;snapshotDir=snapshots;every=1s;http=0;otlpEvery=1s;metricsEvery=1s"
            + (";otlp=http://127.0.0.1:" + receiver.getAddress().getPort())
            + (";metricsHandlers=" + RoundsWriter.class.getName()));
    line.addAll(List.of("-cp", Setting.newest().classPath(), program.getName()));
    return new RunningProgram(directory, Setting.newest().java(), line);
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(String what, RunningProgram program, Condition condition)
      throws Exception {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!condition.holds()) {
      assertThat(System.nanoTime() - until).as("%s: %s", what, program.err()).isNegative();
      Thread.sleep(100);
    }
  }

  /** Those that are there; old ones are deleted. */
  private Set<Path> snapshots() throws IOException {
    if (!Files.exists(directory.resolve("snapshots"))) {
      return Set.of();
    }
    try (Stream<Path> files = Files.list(directory.resolve("snapshots"))) {
      return files
          .filter(file -> file.toString().endsWith("-every.json"))
          .collect(Collectors.toSet());
    }
  }

  private String metrics(RunningProgram program) throws Exception {
    Matcher page = PAGE.matcher(program.err());
    assertThat(page.find()).as(program.err()).isTrue();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(page.group(1) + "metrics"))
            .header("Authorization", "Bearer " + page.group(2))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Each thread does its work after what happened. */
  private void assertAllWork(RunningProgram program, long leaked) throws Exception {
    Set<Path> before = snapshots();
    int pushedBefore = pushed.get();
    Files.deleteIfExists(directory.resolve("leaked"));
    await(
        "snapshots",
        program,
        () -> snapshots().stream().filter(file -> !before.contains(file)).count() > 1);
    await("pushes", program, () -> pushed.get() > pushedBefore + 1);
    await(
        "metrics for handlers",
        program,
        () ->
            Files.exists(directory.resolve("leaked"))
                && Files.readString(directory.resolve("leaked")).equals(leaked + "\n"));
    assertThat(metrics(program))
        .contains("buftrail_buffers_leaked_total{memory=\"direct\"} " + leaked + "\n")
        .contains("buftrail_thread_last_round_seconds{thread=\"buftrail-sweeper\"} 1");
    program.stop();
    FlowsFile flows = FlowsFile.readWithErrors(directory.resolve("flows.json"));
    assertThat(flows.total("leaked")).isEqualTo(leaked);
    assertThat(flows.isBalanced()).isTrue();
  }

  @Test
  void anApplicationThatInterruptsEveryThreadEndsNoneOfTheAgents() throws Exception {
    try (RunningProgram program = start(Interrupter.class)) {
      program.await("ready");
      assertAllWork(program, 0);
    }
  }

  @Test
  void aFullHeapEndsNoneOfTheAgentsThreads() throws Exception {
    try (RunningProgram program = start(FullHeap.class, "-Xmx64m", "-XX:-UsePerfData")) {
      program.await("ready");
      assertAllWork(program, 20);
    }
  }
}
