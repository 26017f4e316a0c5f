package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code push} against a receiver in this JVM that keeps what it gets. */
final class PushCommandTest {
  @TempDir private Path directory;
  private final List<byte[]> received = new ArrayList<>();
  private final List<String> heads = new ArrayList<>();
  private final Deque<Integer> statuses = new ArrayDeque<>();
  private byte[] answer = new byte[0];
  private int refuseAfter = Integer.MAX_VALUE;
  private Path recording = Path.of("");
  private HttpServer server;
  private String endpoint = "";

  @BeforeEach
  void listen() throws IOException, InterruptedException {
    recording = Recordings.make(directory);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::take);
    server.start();
    endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Integer status = received.size() == refuseAfter ? Integer.valueOf(400) : statuses.poll();
    heads.add(
        exchange.getRequestURI()
            + " "
            + exchange.getRequestHeaders().getFirst("Content-Type")
            + " "
            + exchange.getRequestHeaders().getFirst("Content-Encoding")
            + " "
            + exchange.getRequestHeaders().getFirst("api-key"));
    if (status == null) {
      received.add(body);
    } else {
      exchange.getResponseHeaders().set("Retry-After", "0");
    }
    exchange.sendResponseHeaders(
        status == null ? 200 : status, answer.length == 0 ? -1 : answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private Run push(String... arguments) {
    List<String> all = new ArrayList<>(List.of("push", "--endpoint", endpoint));
    all.addAll(List.of(arguments));
    return Run.of(all.toArray(new String[0]));
  }

  private static long total(byte[] message) throws IOException {
    assertThat(Conformance.check(new ByteArrayInputStream(message)).violations()).isEmpty();
    long total = 0;
    for (Profiles profiles : OtlpReader.read(new ByteArrayInputStream(message))) {
      total += profiles.profiles().stream().mapToLong(Profile::total).sum();
    }
    return total;
  }

  private static byte[] unpack(byte[] body) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
  }

  private byte[] converted() throws IOException {
    return Files.readAllBytes(converted(directory.resolve("x.otlp")));
  }

  private Path converted(Path file) {
    assertThat(Run.of("convert", recording.toString(), "-o", file.toString()).exit()).isZero();
    return file;
  }

  @Test
  void recordingsAreConvertedAndSentPacked() throws IOException {
    Run run = push(recording.toString(), "--header", "api-key=secret");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(heads).containsExactly("/v1development/profiles application/x-protobuf gzip secret");
    assertThat(total(unpack(received.get(0)))).isEqualTo(total(converted()));
    assertThat(run.err())
        .startsWith(recording + ": sent to " + endpoint + "/v1development/profiles in 1 request, ");
  }

  @Test
  void profilesAreSentAsTheyAre() throws IOException {
    byte[] message = converted();
    Run run = push(directory.resolve("x.otlp").toString(), "--compression", "none");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(received).containsExactly(message);
  }

  /** What a file is, its content says, whatever its name. */
  @Test
  void jsonIsSentAsProtobuf() throws IOException {
    Path json = directory.resolve("json.otlp");
    converted();
    String[] convert = {
      "convert", directory + "/x.otlp", "-o", json.toString(), "--format", "otlp-json"
    };
    assertThat(Run.of(convert).exit()).isZero();
    Run run = push(json.toString(), "--compression", "none");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(received).hasSize(1);
    assertThat(received.get(0)[0]).isEqualTo((byte) 0x0A);
    assertThat(total(received.get(0))).isEqualTo(total(converted()));
  }

  @Test
  void pprofIsSentAsOpenTelemetryProfiles() throws IOException {
    Path file = directory.resolve("exceptions.pb.gz");
    String[] convert = {
      "convert", recording.toString(), "-o", file.toString(), "--profile", "exceptions"
    };
    assertThat(Run.of(convert).exit()).isZero();
    Run run = push(file.toString(), "--compression", "none", "--resource", "service.name=orders");
    assertThat(run.exit()).as(run.err()).isZero();
    Profiles sent = OtlpReader.read(new ByteArrayInputStream(received.get(0))).get(0);
    assertThat(sent.resource().asMap()).containsEntry("service.name", "orders");
    assertThat(sent.profiles()).hasSize(1);
    assertThat(sent.profiles().get(0).sampleType()).hasToString("exceptions/count");
    Profiles direct = Written.read(converted(directory.resolve("direct.otlp")));
    assertThat(sent.profiles().get(0).total()).isEqualTo(Written.count(direct, "exceptions"));
  }

  @Test
  void whatIsOfRecordingsIsRefusedForProfiles() throws IOException {
    converted();
    Run run = push(directory.resolve("x.otlp").toString(), "--threads");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--threads is for recordings, unlike ");
    assertThat(received).isEmpty();
  }

  @Test
  void whatIsTooLargeGoesInParts() throws IOException {
    int limit = converted().length - 1;
    Run run =
        push(recording.toString(), "--max-size", Integer.toString(limit), "--compression", "none");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(received).hasSizeGreaterThan(1).allMatch(part -> part.length <= limit);
    long sum = 0;
    for (byte[] part : received) {
      sum += total(part);
    }
    assertThat(sum).isEqualTo(total(converted()));
  }

  @Test
  void aMessageThatIsTooLargeGoesInPartsToo() throws IOException {
    Path file = converted(directory.resolve("x.otlp"));
    int size = (int) Files.size(file);
    String[] options = {file.toString(), "--compression", "none", "--max-size", "" + size};
    assertThat(push(options).exit()).isZero();
    assertThat(received).containsExactly(Files.readAllBytes(file));
    received.clear();
    options[4] = "" + (size - 1);
    assertThat(push(options).exit()).isZero();
    assertThat(received).hasSizeGreaterThan(1).allMatch(part -> part.length < size);
    long sum = 0;
    for (byte[] part : received) {
      sum += total(part);
    }
    assertThat(sum).isEqualTo(total(Files.readAllBytes(file)));
  }

  @Test
  void aReceiverThatIsFullIsAskedAgain() throws IOException {
    statuses.addAll(List.of(429, 503));
    Run run = push(recording.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err()).contains("after 2 retries");
    assertThat(received).hasSize(1);
  }

  @Test
  void oneRetryIsOne() {
    statuses.add(503);
    assertThat(push(recording.toString()).err()).contains("after 1 retry, in ");
  }

  @Test
  void aReceiverThatStaysFullIsGivenUp() {
    for (int i = 0; i < 20; i++) {
      statuses.add(503);
    }
    Run run = push(recording.toString(), "--give-up", "1");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .matches(
            ".*: the receiver does not take it now: status 503; tried \\d+ times in 1\\.\\d s");
  }

  @Test
  void whatIsRefusedIsNotSentAgain() {
    statuses.add(400);
    Run run = push(recording.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(heads).hasSize(1);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .isEqualTo(
            "buftrail: "
                + recording
                + " to "
                + endpoint
                + "/v1development/profiles: the receiver refuses it: status 400");
  }

  @Test
  void whatIsRefusedEndsItAndSaysWhatIsLeft() {
    statuses.add(400);
    Run run = push(recording.toString(), recording.toString(), recording.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(heads).hasSize(1);
    assertThat(run.errLines()).singleElement().asString().endsWith("; not tried: 2 more");
  }

  @Test
  void whatCannotBeReadDoesNotStopTheOthers() throws IOException {
    Path notes = Files.writeString(directory.resolve("notes.jfr"), "these are notes");
    Path profile = Files.writeString(directory.resolve("notes.otlp"), "these are notes");
    Path missing = directory.resolve("missing.otlp");
    Run run = push(notes.toString(), profile.toString(), missing.toString(), recording.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(received).hasSize(1);
    assertThat(run.errLines())
        .hasSize(4)
        .contains("buftrail: " + notes + ": not a flight recording")
        .contains("buftrail: " + missing + ": no such file")
        .anyMatch(line -> line.startsWith("buftrail: " + profile + ": "));
  }

  @Test
  void theReasonOfARefusalIsSaid() {
    statuses.add(413);
    answer = "request body\ntoo large".getBytes(StandardCharsets.UTF_8);
    Run run = push(recording.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .endsWith(": the receiver refuses it: status 413: request body too large");
  }

  @Test
  void aRefusalOfALaterPartSaysHowManyWereTaken() throws IOException {
    int limit = converted().length - 1;
    refuseAfter = 1;
    Run run = push(recording.toString(), "--max-size", Integer.toString(limit));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .matches(".*: status 400; 1 of \\d+ requests was taken before");
  }

  @Test
  void aWarningIsANoteAndNoFailure() {
    // ExportProfilesServiceResponse { partial_success { error_message: "hm" } }
    answer = new byte[] {0x0a, 4, 0x12, 2, 'h', 'm'};
    Run run = push(recording.toString());
    assertThat(run.exit()).isZero();
    assertThat(run.errLines()).hasSize(2).contains(recording + ": the receiver warns: hm");
  }

  @Test
  void whatIsPartlyRejectedIsSaidAndFails() {
    // ExportProfilesServiceResponse { partial_success { rejected_profiles: 3 error_message: "no" }
    // }
    answer = new byte[] {0x0a, 6, 0x08, 3, 0x12, 2, 'n', 'o'};
    Run run = push(recording.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("the receiver rejected 3 profiles: no");
  }

  @Test
  void whatBeganLongAgoIsSaidBeforeAndSentAllTheSame() throws IOException {
    Path old = Path.of("../jfr/src/test/resources/recordings/jdk25.jfr.gz");
    Path profile = directory.resolve("old.otlp");
    assertThat(Run.of("convert", old.toString(), "-o", profile.toString()).exit()).isZero();
    for (Path input : List.of(old, profile)) {
      Run run = push(input.toString());
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(run.errLines()).hasSize(2);
      assertThat(run.errLines().get(0))
          .isEqualTo(
              input
                  + ": began more than an hour ago, which Pyroscope with its default limits"
                  + " refuses");
      assertThat(run.errLines().get(1)).contains(": sent to ");
    }
    assertThat(received).hasSize(2);
    assertThat(push(recording.toString()).errLines()).as("a recording of now").hasSize(1);
  }

  @Test
  void attributesAreLeftOutOfRecordingsAndOfProfiles() throws IOException {
    String[] without = {"--without", "thread.id,thread.name"};
    for (Path input : List.of(recording, converted(directory.resolve("threads.otlp")))) {
      received.clear();
      assertThat(push(input.toString()).exit()).isZero();
      Run run = push(input.toString(), without[0], without[1]);
      assertThat(run.exit()).as(run.err()).isZero();
      byte[] left = unpack(received.get(1));
      assertThat(new String(unpack(received.get(0)), StandardCharsets.ISO_8859_1))
          .contains("thread.name");
      assertThat(new String(left, StandardCharsets.ISO_8859_1)).doesNotContain("thread.name");
      assertThat(total(left)).isEqualTo(total(unpack(received.get(0))));
    }
  }

  @Test
  void anUnknownAttributeIsOneLineAndNothingIsSent() {
    for (Path input : List.of(recording, converted(directory.resolve("threads.otlp")))) {
      Run run = push(input.toString(), "--without", "thread");
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.errLines())
          .singleElement()
          .asString()
          .startsWith("buftrail: --without: no sample has the attribute thread, but ")
          .endsWith("; see buftrail push --help");
    }
    assertThat(heads).isEmpty();
  }

  @Test
  void aReceiverThatIsNotThereIsOneLine() {
    server.stop(0);
    Run run = push(recording.toString(), "--give-up", "0");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .contains(": connection refused; tried once in ")
        .doesNotContain("java.");
  }

  @Test
  void wrongUsageIsOneLine() {
    Run run = Run.of("push", recording.toString(), "--endpoint", "collector:4318");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .contains("--endpoint is 'collector:4318': it must be a URL");
    assertThat(push(recording.toString(), "--timeout", "0").exit()).isEqualTo(2);
    run = Run.of("push", recording.toString(), "--endpoint", "http://127.0.0.1:99999");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines()).singleElement().asString().contains("--endpoint is ");
    run = Run.of("push", recording.toString(), "--endpoint", "http://u:p@127.0.0.1");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines()).singleElement().asString().contains("--header Authorization=");
    for (String header : List.of("x a=b", "x=a\nb")) {
      run = push(recording.toString(), "--header", header);
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.errLines()).singleElement().asString().contains("--header: ");
    }
    assertThat(heads).isEmpty();
  }

  @Test
  void aFileThatIsNoProfileIsOneLineAndNothingIsSent() throws IOException {
    Path notes = Files.writeString(directory.resolve("notes.otlp"), "these are notes");
    Run run = push(notes.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines()).singleElement().asString().startsWith("buftrail: " + notes + ": ");
    assertThat(received).isEmpty();
  }
}
