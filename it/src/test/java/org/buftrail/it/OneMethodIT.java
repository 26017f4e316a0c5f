package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.buftrail.it.programs.OneMethod;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Reports of a program whose buffers and composites come from one method of Netty. */
@Isolated("counts on looks that the agent takes at its own times")
final class OneMethodIT {
  private static final Pattern PAGE =
      Pattern.compile("live page at (http://127\\.0\\.0\\.1:\\d+/)#token=([0-9a-f]{32})");
  private static final int TIMEOUT_SECONDS = 90;

  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicLong pushes = new AtomicLong();
  private final AtomicLong pushed = new AtomicLong();
  @TempDir private Path directory;
  private HttpServer receiver;

  @BeforeEach
  void receive() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/", this::take);
    receiver.start();
  }

  @AfterEach
  void close() {
    receiver.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] message = exchange.getRequestBody().readAllBytes();
    boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    InputStream bytes = new ByteArrayInputStream(message);
    for (Profiles profiles : OtlpReader.read(packed ? new GZIPInputStream(bytes) : bytes)) {
      for (Profile profile : profiles.profiles()) {
        if (profile.sampleType().type().equals("allocated_objects")) {
          for (int i = 0; i < profile.samples().size(); i++) {
            pushed.addAndGet(profile.samples().sum(i, profile.column()));
          }
        }
      }
    }
    pushes.incrementAndGet();
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private void awaitPushes(long more) throws InterruptedException {
    long wanted = pushes.get() + more;
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (pushes.get() < wanted) {
      assertThat(System.nanoTime() - until).as("waiting for push " + wanted).isNegative();
      Thread.sleep(50);
    }
  }

  private String ask(RunningProgram program, String method, String path) throws Exception {
    Matcher page = PAGE.matcher(program.err());
    assertThat(page.find()).as(program.err()).isTrue();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(page.group(1) + path))
            .header("Authorization", "Bearer " + page.group(2))
            .header("X-Buftrail", "1")
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  /** What is told to be released, a little later than any snapshot that was shared before. */
  private JsonNode flows(RunningProgram program) throws Exception {
    Thread.sleep(1_100);
    return new ObjectMapper().readTree(ask(program, "GET", "api/flows"));
  }

  private static long sum(JsonNode column) {
    return StreamSupport.stream(column.spliterator(), false).mapToLong(JsonNode::asLong).sum();
  }

  private long releasedOfMetrics(RunningProgram program) throws Exception {
    return ask(program, "GET", "metrics")
        .lines()
        .filter(line -> line.startsWith("buftrail_buffers_released_total{"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
        .sum();
  }

  @Test
  void allSurfacesAgreeWithTheProgram() throws Exception {
    List<String> line =
        List.of(
            "-javaagent:%s=include=none;http=0;otlpEvery=1s;otlp=http://127.0.0.1:%d"
                .formatted(Setting.JAR, receiver.getAddress().getPort()),
            "-cp",
            Setting.newest().classPath(),
            OneMethod.class.getName());
    try (RunningProgram program = new RunningProgram(directory, Setting.newest().java(), line)) {
      assertPushes(program);
      assertTop(program);
      assertReset(program);
      assertSuspect(program);
    }
  }

  private void assertPushes(RunningProgram program) throws Exception {
    program.send("plain 1009\ncomposite 11");
    program.await("done-2");
    awaitPushes(3);
    assertThat(pushed.get()).isEqualTo(1_009 + 3 * 11);
    for (int i = 0; i < 3; i++) {
      program.send("plain 1");
      program.await("done-" + (3 + i));
      awaitPushes(1);
    }
    awaitPushes(2);
    assertThat(pushed.get()).as("each buffer once").isEqualTo(1_009 + 3 * 11 + 3);
  }

  private void assertReset(RunningProgram program) throws Exception {
    ask(program, "POST", "api/reset");
    program.send("composite 503");
    program.await("done-6");
    JsonNode flows = flows(program);
    assertThat(flows.at("/totals/allocated").asLong()).isEqualTo(3 * 503);
    assertThat(sum(flows.at("/paths/released"))).isEqualTo(3 * 503);
    assertThat(releasedOfMetrics(program)).isEqualTo(1_009 + 3 * 11 + 3 + 3 * 503);
    ask(program, "POST", "api/reset");
    assertThat(flows(program).at("/totals/allocated").asLong()).as("nothing since").isZero();
  }

  private void assertTop(RunningProgram program) throws Exception {
    Path place = Files.createDirectories(directory.resolve("commands"));
    ForkedJvm.Result top = new ForkedJvm(place).runJar("top", "-n=3", program.pid());
    assertThat(top.exit()).as(top.err()).isZero();
    List<String> rows =
        top.out().lines().filter(row -> row.contains("Unpooled.wrappedBuffer")).toList();
    assertThat(rows).isNotEmpty();
    assertThat(rows.get(rows.size() - 1)).as("no buffer a second").matches(" *-( +-){3} +0 .*");
  }

  private void assertSuspect(RunningProgram program) throws Exception {
    program.send("keep 31");
    program.await("done-7");
    JsonNode flows = flows(program);
    JsonNode suspects = flows.at("/suspects");
    assertThat(suspects.get("path")).hasSize(1);
    int path = suspects.at("/path/0").asInt();
    assertThat(flows.at("/paths/live").path(path).asLong()).isEqualTo(31);
    Path page = directory.resolve("dump.html");
    ForkedJvm.Result dump =
        new ForkedJvm(directory).runJar("dump", program.pid(), "-o", page.toString());
    assertThat(dump.exit()).as(dump.err()).isZero();
    assertThat(Files.readString(page)).containsPattern("\"suspects\":\\{\"path\":\\[\\d");
  }
}
