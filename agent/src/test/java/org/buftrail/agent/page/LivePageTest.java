package org.buftrail.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.agent.source.ThisProcess;
import org.buftrail.agent.watch.SnapshotFiles;
import org.buftrail.model.ProcessMemory;
import org.buftrail.model.Snapshot;
import org.buftrail.report.SnapshotJsonReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LivePageTest {
  private static final Pattern URL =
      Pattern.compile("live page at (http://127\\.0\\.0\\.1:(\\d+)/)#token=([0-9a-f]{32})");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory = Path.of("");
  private final List<String> log = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private Snapshot snapshot =
      SnapshotBuilder.none()
          .direct("directBuffer app.A.read", 10, 2, 3)
          .build()
          .of(new ThisProcess("http=0").process());
  private @Nullable ProcessMemory process;
  private final FlowSource source =
      new FlowSource(
          () -> snapshot, System::nanoTime, 0, () -> null, now -> null, pools -> process());
  private String base = "";
  private String token = "";
  private int port;

  @BeforeEach
  void start() throws IOException {
    LivePage.start(
        PageAddress.of("0", false, null),
        source,
        new ThisProcess("http=0")::process,
        new SnapshotFiles(directory, 9, 1 << 20, log::add),
        log::add);
    Matcher m = URL.matcher(log.get(0));
    assertThat(m.matches()).as(log.get(0)).isTrue();
    base = m.group(1);
    port = Integer.parseInt(m.group(2));
    token = m.group(3);
  }

  private ProcessMemory process() throws IOException {
    if (process == null) {
      throw new IOException("not on this system");
    }
    return process;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .header("Authorization", "Bearer " + token);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String... headers) throws Exception {
    HttpRequest.Builder builder = request(path).POST(HttpRequest.BodyPublishers.noBody());
    for (int i = 0; i < headers.length; i += 2) {
      builder.header(headers[i], headers[i + 1]);
    }
    return client.send(builder.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void flowsAndHistoryAreJson() throws Exception {
    HttpResponse<String> flows = get("api/flows");
    assertThat(flows.statusCode()).isEqualTo(200);
    JsonNode model = JSON.readTree(flows.body());
    assertThat(model.path("kind").asText()).isEqualTo("flows");
    assertThat(model.path("totals").path("allocated").asLong()).isEqualTo(15);
    assertThat(flows.headers().firstValue("cache-control")).contains("no-store");
    assertThat(flows.headers().firstValue("x-content-type-options")).contains("nosniff");
    assertThat(flows.headers().firstValue("content-security-policy"))
        .contains("default-src 'none'; frame-ancestors 'none'");
    assertThat(JSON.readTree(get("api/history").body()).path("paths")).isEmpty();
  }

  @Test
  void theWholeProcessIsJson() throws Exception {
    process =
        new ProcessMemory(
            List.of(new ProcessMemory.Owner("Java heap", 7, 2, "used")),
            List.of("the cgroup at most 1 GiB"));
    JsonNode known = JSON.readTree(get("api/process").body());
    assertThat(known.path("takenAt").asText()).endsWith("Z");
    assertThat(known.path("resident").toString())
        .isEqualTo(
            "{\"owners\":[{\"owner\":\"Java heap\",\"residentBytes\":7,\"notInRamBytes\":2,"
                + "\"known\":\"used\"}],\"limits\":[\"the cgroup at most 1 GiB\"]}");
    assertThat(get("metrics").body()).contains("buftrail_resident_bytes{owner=\"Java heap\"} 7\n");
    assertThat(get("api/snapshot.json").body()).contains("\"owner\":\"Java heap\"");
  }

  @Test
  void whyTheWholeProcessIsNotKnownIsSaid() throws Exception {
    JsonNode unknown = JSON.readTree(get("api/process").body());
    assertThat(unknown.path("unknown").asText()).isEqualTo("not on this system");
    assertThat(unknown.path("resident").isMissingNode()).isTrue();
    assertThat(get("metrics").body()).doesNotContain("buftrail_resident_bytes");
  }

  @Test
  void aCollectionIsAskedForAndToldOf() throws Exception {
    assertThat(get("api/collect").statusCode()).isEqualTo(405);
    JsonNode told = JSON.readTree(post("api/collect", Gate.INTENT, "1").body());
    assertThat(told.path("collected").asBoolean()).isTrue();
    assertThat(told.path("leaked").asLong(-1)).isZero();
  }

  @Test
  void itSaysWhoseBuffersItShows() throws Exception {
    JsonNode about = JSON.readTree(get("api/about").body());
    assertThat(about.path("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
    assertThat(about.path("name").asText()).isNotEmpty().doesNotContain("/", " ");
    assertThat(about.path("java").asText()).isEqualTo(System.getProperty("java.version"));
    assertThat(about.path("options").asText()).isEqualTo("http=0");
    assertThat(about.path("snapshots").asBoolean()).isTrue();
  }

  @Test
  void whoseFlowsTheseAreIsSaidWithoutASnapshot() throws IOException {
    FlowSource none =
        new FlowSource(
            () -> {
              throw new AssertionError("a snapshot");
            },
            System::nanoTime,
            0);
    Pages pages = new Pages(none, new ThisProcess("http=0")::process, null);
    assertThat(pages.get("/api/about")).isNotNull();
  }

  @Test
  void metricsAreText() throws Exception {
    HttpResponse<String> metrics = get("metrics");
    assertThat(metrics.headers().firstValue("content-type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
    assertThat(metrics.body()).contains("buftrail_buffers_leaked_total{memory=\"direct\"} 2\n");
  }

  /** Prometheus takes a counter that falls, or stands still, for another process. */
  @Test
  void metricsGoOnWhereTheyAreWhenThePageCountsFrom0() throws Exception {
    String before = get("metrics").body();
    assertThat(post("api/reset", "X-Buftrail", "1").statusCode()).isEqualTo(200);
    assertThat(JSON.readTree(get("api/flows").body()).at("/paths/leaked"))
        .allSatisfy(leaked -> assertThat(leaked.asLong()).isZero());
    assertThat(counters(get("metrics").body())).isNotEmpty().isEqualTo(counters(before));
    snapshot = SnapshotBuilder.none().direct("directBuffer app.A.read", 17, 5, 3).build();
    source.snapshot(0);
    assertThat(JSON.readTree(get("api/flows").body()).at("/paths/leaked/0").asInt())
        .isEqualTo(5 - 2);
    assertThat(counters(get("metrics").body()))
        .contains("buftrail_buffers_leaked_total{memory=\"direct\"} 5")
        .contains("buftrail_buffers_released_total{memory=\"direct\"} 17");
  }

  private static List<String> counters(String metrics) {
    return metrics.lines().filter(line -> line.matches("[a-z_]+_total\\W.*")).toList();
  }

  @Test
  void downloadsComeInEveryFormat() throws Exception {
    HttpResponse<String> json = get("api/snapshot.json");
    assertThat(json.headers().firstValue("content-disposition"))
        .contains("attachment; filename=\"flows.json\"");
    assertThat(SnapshotJsonReader.read(new StringReader(json.body())).leaked().count())
        .isEqualTo(2);
    assertThat(get("api/snapshot.html").body()).startsWith("<!doctype html>");
    assertThat(get("api/snapshot.txt").body()).contains("LEAK 1 of 1");
    assertThat(get("api/snapshot.otlp").statusCode()).isEqualTo(200);
    assertThat(get("api/snapshot.exe").statusCode()).isEqualTo(404);
  }

  @Test
  void thePageNeedsNoTokenHoldsNoDataAndMayLoadNothingElse() throws Exception {
    HttpResponse<String> page =
        client.send(
            HttpRequest.newBuilder(URI.create(base)).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(page.statusCode()).isEqualTo(200);
    String policy = page.headers().firstValue("content-security-policy").orElse("");
    assertThat(policy)
        .startsWith("default-src 'none'; script-src 'sha256-")
        .contains("connect-src 'self'")
        .contains("frame-ancestors 'none'")
        .doesNotContain("unsafe");
    Matcher script = Pattern.compile("(?s)<script>(.*)</script>").matcher(page.body());
    assertThat(script.find()).isTrue();
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest(script.group(1).getBytes(StandardCharsets.UTF_8));
    assertThat(policy).contains("'sha256-" + Base64.getEncoder().encodeToString(hash) + "'");
    assertThat(page.body()).doesNotContain("app.A").doesNotContain(token);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,api/flows,wrong,401",
    "GET,metrics,'',401",
    "GET,nowhere,wrong,401",
    "GET,nowhere,right,404",
    "GET,api/reset,right,405",
    "GET,api/snapshot,right,405",
    "DELETE,api/flows,right,405",
    "PUT,,right,405",
    "HEAD,metrics,right,405",
    "OPTIONS,api/reset,right,405",
    "GET,../../etc/passwd,right,404",
  })
  void whatIsNotWantedIsRefusedInOneLine(String method, String path, String auth, int status)
      throws Exception {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(base + (path == null ? "" : path)))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!auth.isEmpty()) {
      builder.header("Authorization", "Bearer " + (auth.equals("right") ? token : "0" + token));
    }
    HttpResponse<String> refusal =
        client.send(builder.build(), HttpResponse.BodyHandlers.ofString());
    assertThat(refusal.statusCode()).isEqualTo(status);
    assertThat(refusal.body().lines().count()).isLessThanOrEqualTo(1);
    assertThat(refusal.body()).doesNotContain("Exception").doesNotContain("\tat ");
    if (status == 401) {
      assertThat(refusal.headers().firstValue("www-authenticate")).isPresent();
    }
    if (status == 405) {
      assertThat(refusal.headers().firstValue("allow")).isPresent();
    }
  }

  @Test
  void whatChangesSomethingNeedsTheHeaderAndTheRightOrigin() throws Exception {
    assertThat(post("api/reset").statusCode()).isEqualTo(403);
    assertThat(post("api/reset", "X-Buftrail", "1", "Origin", "http://evil.example").statusCode())
        .isEqualTo(403);
    assertThat(source.snapshot(0).leaked().count()).isEqualTo(2);
    String own = base.substring(0, base.length() - 1);
    assertThat(post("api/reset", "X-Buftrail", "1", "Origin", own).statusCode()).isEqualTo(200);
    assertThat(source.snapshot(0).leaked().count()).isZero();
  }

  @Test
  void theSnapshotButtonWritesAFile() throws Exception {
    HttpResponse<String> written = post("api/snapshot", "X-Buftrail", "1");
    assertThat(written.statusCode()).isEqualTo(200);
    Path file = Path.of(JSON.readTree(written.body()).path("file").asText());
    assertThat(file).exists().hasParent(directory);
  }

  private String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      try (InputStream in = socket.getInputStream()) {
        return new String(in.readNBytes(12), StandardCharsets.ISO_8859_1);
      }
    }
  }

  @Test
  void aForeignHostNameIsMisdirected() throws Exception {
    String auth = "Authorization: Bearer " + token + "\r\n\r\n";
    assertThat(raw("GET / HTTP/1.1\r\nHost: evil.example:" + port + "\r\n" + auth))
        .isEqualTo("HTTP/1.1 421");
    assertThat(raw("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n" + auth))
        .isEqualTo("HTTP/1.1 421");
    assertThat(raw("GET /metrics HTTP/1.1\r\n" + auth)).isEqualTo("HTTP/1.1 400");
    assertThat(raw("GET /metrics HTTP/1.0\r\n" + auth)).isEqualTo("HTTP/1.1 421");
    assertThat(raw("GET /metrics HTTP/1.1\r\nHost: LocalHost:" + port + "\r\n" + auth))
        .isEqualTo("HTTP/1.1 200");
    assertThat(raw("GET /metrics HTTP/1.1\r\nHost: [::1]\r\n" + auth)).isEqualTo("HTTP/1.1 200");
  }

  @Test
  void largeRequestsAreRefusedBeforeTheyAreRead() throws Exception {
    String head = " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n";
    assertThat(raw("POST /api/reset" + head + "Content-Length: 5000000000\r\n\r\n"))
        .isEqualTo("HTTP/1.1 413");
    assertThat(raw("POST /api/reset" + head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
        .isEqualTo("HTTP/1.1 413");
    assertThat(raw("GET /" + "a".repeat(5_000) + head + "\r\n")).isEqualTo("HTTP/1.1 414");
    assertThat(answer("POST /api/reset" + head + "Content-Length: 5000000000\r\n\r\n"))
        .endsWith("\r\n\r\n413: the request is too large; no request needs a body\n");
    assertThat(answer("GET /" + "a".repeat(5_000) + head + "\r\n"))
        .endsWith("\r\n\r\n414: the address is too long\n");
  }

  /** All that comes until the server closes the connection. */
  private String answer(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET //metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /% HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        "\u0016\u0003\u0001\u0002",
        "GET / HTTP/1.1\nHost: localhost\n\n",
      })
  void whatIsNoRequestIsRefusedInOneLineToo(String request) throws Exception {
    assertThat(answer(request))
        .startsWith("HTTP/1.1 400 ")
        .contains("\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n")
        .endsWith("\r\n\r\n400: the request is not HTTP as it should be\n");
  }

  @Test
  void manyAtOnceAreAnswered() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      all.add(client.sendAsync(request("api/flows").build(), HttpResponse.BodyHandlers.ofString()));
    }
    for (CompletableFuture<HttpResponse<String>> one : all) {
      assertThat(one.get().statusCode()).isEqualTo(200);
    }
  }

  /** The built page must be that of the sources beside it; where npm is not, this still says so. */
  @Test
  void thePageIsBuiltFromItsSources() throws Exception {
    Path web = Path.of("").toAbsolutePath().resolveSibling("web");
    MessageDigest hash = MessageDigest.getInstance("SHA-256");
    List<String> names = new ArrayList<>();
    for (String directory : List.of("live", "src")) {
      try (Stream<Path> files = Files.list(web.resolve(directory))) {
        files.map(f -> directory + '/' + f.getFileName()).sorted().forEach(names::add);
      }
    }
    names.addAll(List.of("build.mjs", "bundle.mjs", "package-lock.json"));
    for (String name : names) {
      hash.update((name + "\n").getBytes(StandardCharsets.UTF_8));
      hash.update(Files.readAllBytes(web.resolve(name)));
      hash.update((byte) '\n');
    }
    String page;
    try (InputStream in = LivePage.class.getResourceAsStream("live.html")) {
      page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(page)
        .as("run npm run build in web/")
        .contains("sources " + HexFormat.of().formatHex(hash.digest()));
  }
}
