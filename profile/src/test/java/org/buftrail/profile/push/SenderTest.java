package org.buftrail.profile.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.profile.push.RawReceiver.ascii;

import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
@Tag("slow")
final class SenderTest {
  private static final int TIMEOUT_MILLIS = 600;
  private static final byte[] BODY = new byte[100];

  private static Sender.Outcome send(RawReceiver.Answer answer) throws IOException {
    return send(answer, TIMEOUT_MILLIS);
  }

  private static Sender.Outcome send(RawReceiver.Answer answer, int timeoutMillis)
      throws IOException {
    try (RawReceiver receiver = new RawReceiver(answer)) {
      long start = System.nanoTime();
      Sender.Outcome outcome = new Sender(receiver.target(timeoutMillis)).send(BODY);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
      return outcome;
    }
  }

  private static Sender.Outcome send(String head, byte[] body) throws IOException {
    try (RawReceiver receiver = RawReceiver.answering(head, body)) {
      return new Sender(receiver.target(10_000)).send(BODY);
    }
  }

  private static void trickle(OutputStream out, String text) throws IOException {
    try {
      for (int i = 0; i < 1_000; i++) {
        out.write(ascii(text));
        out.flush();
        Thread.sleep(100);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void theTimeoutHoldsForABodyThatTrickles() throws IOException {
    Sender.Outcome outcome =
        send(
            out -> {
              out.write(ascii("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"));
              trickle(out, "x");
            });
    assertThat(outcome.fate()).isEqualTo(Sender.Fate.UNCERTAIN);
    assertThat(outcome.reason()).isEqualTo("status 200, then timed out after 600 ms");
  }

  @Test
  void theTimeoutHoldsForAChunkThatTrickles() throws IOException {
    Sender.Outcome chunk =
        send(
            out -> {
              out.write(ascii("HTTP/1.1 400 No\r\nTransfer-Encoding: chunked\r\n\r\n5;a="));
              trickle(out, "x");
            });
    assertThat(chunk.fate()).isEqualTo(Sender.Fate.REFUSED);
    assertThat(chunk.reason()).isEqualTo("status 400");
  }

  /** What is known when the time is over once the receiver has begun to answer. */
  private static Sender.Outcome late(String begin) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    try (RawReceiver receiver =
        new RawReceiver(
            out -> {
              out.write(ascii(begin));
              out.flush();
              begun.countDown();
              RawReceiver.hold();
            })) {
      Exchange exchange = new Exchange(receiver.target(TIMEOUT_MILLIS), BODY);
      Future<Sender.Outcome> end = exchange.start();
      begun.await();
      Sender.Outcome outcome = exchange.abandon();
      end.get();
      assertThat(receiver.requests()).isEqualTo(1);
      return outcome;
    }
  }

  @Test
  void aReceiverThatSaysNothingOrPartOfAHeadMayHaveTheRequest() throws Exception {
    List<Sender.Outcome> outcomes =
        List.of(send(out -> RawReceiver.hold()), late("HTTP/1.1 200 OK\r\nX-A: x"));
    for (Sender.Outcome outcome : outcomes) {
      assertThat(outcome.fate()).isEqualTo(Sender.Fate.UNCERTAIN);
      assertThat(outcome.reason()).isEqualTo("timed out after 600 ms");
    }
  }

  /** What is known when the time is over once the first byte of what was sent has come. */
  private static Sender.Outcome begun(String scheme, int size) throws Exception {
    try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      PushTarget target =
          PushTarget.of(scheme + "://127.0.0.1:" + deaf.getLocalPort(), "--endpoint", Map.of());
      Exchange exchange = new Exchange(target.withTimeout(TIMEOUT_MILLIS), new byte[size]);
      Future<Sender.Outcome> end = exchange.start();
      try (Socket connection = deaf.accept()) {
        assertThat(connection.getInputStream().read()).isNotNegative();
        Sender.Outcome outcome = exchange.abandon();
        end.get();
        return outcome;
      }
    }
  }

  @Test
  void aRequestThatNobodyReadsMayHaveArrived() throws Exception {
    Sender.Outcome outcome = begun("http", 32 << 20);
    assertThat(outcome.fate()).isEqualTo(Sender.Fate.UNCERTAIN);
    assertThat(outcome.reason()).isEqualTo("timed out after 600 ms");
  }

  @Test
  void whatWasNotEncryptedInTimeWasNotSent() throws Exception {
    Sender.Outcome outcome = begun("https", 100);
    assertThat(outcome.fate()).isEqualTo(Sender.Fate.LATER);
    assertThat(outcome.reason()).isEqualTo("timed out after 600 ms");
  }

  @Test
  void anEndlessBodyIsReadInPart() throws IOException {
    byte[] warning =
        ExportProfilesServiceResponse.newBuilder()
            .setPartialSuccess(ExportProfilesPartialSuccess.newBuilder().setErrorMessage("hm"))
            .build()
            .toByteArray();
    Sender.Outcome outcome =
        send(
            out -> {
              out.write(ascii("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"));
              out.write(warning);
              // Field 15 as an empty message, again and again.
              byte[] more = "z\0".repeat(1 << 12).getBytes(StandardCharsets.US_ASCII);
              while (true) {
                out.write(more);
              }
            },
            10_000);
    assertThat(outcome.fate()).isEqualTo(Sender.Fate.ACCEPTED);
    assertThat(outcome.warning()).isEqualTo("the receiver warns: hm");
    assertThat(outcome.reason()).isEmpty();
  }

  @Test
  void noThreadStays() throws Exception {
    begun("http", 16 << 20);
    late("HTTP/1.1 200 ");
    late("HTTP/1.1 400 No\r\nContent-Length: 1000\r\n\r\nx");
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("buftrail-request")) {
        thread.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
    }
  }

  @Test
  void aRefusalTellsTheReason() throws IOException {
    ByteArrayOutputStream status = new ByteArrayOutputStream();
    status.write(new byte[] {0x08, 3, 0x12, 9});
    status.write(ascii("bad\nfield"));
    assertThat(
            send("400 No\r\nContent-Type: application/x-protobuf", status.toByteArray()).reason())
        .isEqualTo("status 400: bad field");
    assertThat(send("413 No\r\nContent-Type: text/plain", ascii("too large\r\n")).reason())
        .isEqualTo("status 413: too large");
    assertThat(send("400 No", ascii("{\"message\": \"x\"}")).reason())
        .isEqualTo("status 400: {\"message\": \"x\"}");
    assertThat(send("404 No\r\nContent-Type: text/html", ascii("<h1>Not</h1>\n<p>there")).reason())
        .isEqualTo("status 404: Not there");
    assertThat(send("400 No\r\nContent-Type: image/png", ascii("PNG")).reason())
        .isEqualTo("status 400");
    assertThat(send("503 No\r\nContent-Type: text/plain", ascii("busy")).reason())
        .isEqualTo("status 503: busy");
    String unsafe = "a\u001b[31m\u202eb" + "c".repeat(300);
    assertThat(send("400 No", unsafe.getBytes(StandardCharsets.UTF_8)).reason())
        .isEqualTo("status 400: a [31m b" + "c".repeat(192) + "...");
  }

  @Test
  void aRequestForCredentialsTellsTheReason() throws IOException {
    Sender.Outcome outcome = send("401 No\r\nContent-Type: text/plain", ascii("no auth"));
    assertThat(outcome.fate()).isEqualTo(Sender.Fate.REFUSED);
    assertThat(outcome.reason()).isEqualTo("status 401: no auth");
    assertThat(send("401 No\r\nWWW-Authenticate: Basic realm=x", ascii("no auth")).reason())
        .isEqualTo("status 401: no auth");
  }

  @Test
  void theReceiverMayAskToWaitInSecondsAndUntilADate() throws IOException {
    assertThat(send("503 No\r\nRetry-After: 7", new byte[0]).waitSeconds()).isEqualTo(7);
    assertThat(send("503 No\r\nRetry-After: soon", new byte[0]).waitSeconds()).isEqualTo(-1);
    assertThat(send("503 No", new byte[0]).waitSeconds()).isEqualTo(-1);
    String past = "Fri, 31 Dec 1999 23:59:59 GMT";
    assertThat(send("503 No\r\nRetry-After: " + past, new byte[0]).waitSeconds()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "'Sun, 06 Nov 1994 08:49:37 GMT', 0, 0",
    "'Sun, 06 Nov 1994 08:49:37 GMT', -1, 1",
    "'Sun, 06 Nov 1994 08:49:37 GMT', -1000, 1",
    "'Sun, 06 Nov 1994 08:49:37 GMT', -1001, 2",
    "'Sun, 06 Nov 1994 08:49:37 GMT', 1, 0",
    "'Sun, 06 Nov 1994 08:49:37 GMT', 1000000, 0",
    "' 7 ', 0, 7",
    "000000007, 0, 7",
    "999999999, 0, 999999999",
    "1000000000, 0, 2147483647",
    "99999999999999999999, 0, 2147483647",
    "-1, 0, -1",
    "7.5, 0, -1",
    "'', 0, -1",
    "soon, 0, -1",
  })
  void secondsAreCountedFromNowAndRoundedUp(String after, long offsetMillis, long seconds) {
    long date = 784_111_777_000L;
    assertThat(RetryAfter.seconds(after, date + offsetMillis)).isEqualTo(seconds);
  }

  @Test
  void whatGoesWrongIsSaidInWords() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Sender.Outcome outcome = sendTo("http://127.0.0.1:" + port);
    assertThat(outcome.fate()).isEqualTo(Sender.Fate.LATER);
    assertThat(outcome.reason()).isEqualTo("connection refused");
    outcome = sendTo("http://no-such-host.invalid");
    assertThat(outcome.fate()).isEqualTo(Sender.Fate.LATER);
    assertThat(outcome.reason()).isEqualTo("no such host: no-such-host.invalid");
    outcome = send(OutputStream::flush);
    assertThat(outcome.fate()).isEqualTo(Sender.Fate.UNCERTAIN);
    assertThat(outcome.reason()).startsWith("connection closed");
    outcome = send(out -> out.write(ascii("SSH-2.0-x\r\n\r\n")));
    assertThat(outcome.fate()).isEqualTo(Sender.Fate.UNCERTAIN);
    assertThat(outcome.reason()).doesNotContain("Exception").isNotEmpty();
  }

  private static Sender.Outcome sendTo(String url) {
    return new Sender(PushTarget.of(url, "--endpoint", Map.of()).withTimeout(2_000)).send(BODY);
  }

  @Test
  void classNamesAreNotShown() {
    Throwable e =
        new javax.net.ssl.SSLHandshakeException(
            "PKIX path building failed: sun.security.SunCertPathBuilderException: no path");
    assertThat(Failure.describe(e, "h"))
        .isEqualTo("no secure connection (PKIX path building failed: no path)");
    assertThat(Failure.describe(new IOException(), "h")).isEqualTo("the exchange failed");
  }
}
