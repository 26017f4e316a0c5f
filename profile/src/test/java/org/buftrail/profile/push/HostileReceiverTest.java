package org.buftrail.profile.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.buftrail.profile.push.RawReceiver.ascii;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Receivers that no operator wants: what is reported for each, and that each gets one request. */
@Timeout(60)
@Tag("slow")
final class HostileReceiverTest {
  private static final byte[] BODY = new byte[100];

  private static RawReceiver.Answer text(String answer) {
    return out -> out.write(ascii(answer));
  }

  /** Sends the first once and the second for ever. */
  private static RawReceiver.Answer endless(String first, String then) {
    return out -> {
      out.write(ascii(first));
      while (true) {
        out.write(ascii(then));
      }
    };
  }

  static Stream<Arguments> answers() throws IOException {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bomb)) {
      out.write(new byte[100 << 20]);
    }
    String ok = "HTTP/1.1 200 OK\r\n";
    return Stream.of(
        Arguments.of(
            "goes on to continue",
            endless("", "HTTP/1.1 100 Continue\r\n\r\n"),
            Sender.Fate.UNCERTAIN,
            "the exchange failed (the receiver goes on to say that it will answer, and does not)"),
        Arguments.of(
            "continues, then answers",
            text("HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 0\r\n\r\n"),
            Sender.Fate.ACCEPTED,
            ""),
        Arguments.of(
            "cut body",
            text(ok + "Content-Length: 999\r\n\r\nabc"),
            Sender.Fate.UNCERTAIN,
            "connection closed (after 3 of 999 bytes of the answer)"),
        Arguments.of(
            "cut chunk",
            text(ok + "Transfer-Encoding: chunked\r\n\r\n10\r\nabc"),
            Sender.Fate.UNCERTAIN,
            "connection closed (within a chunk of the answer)"),
        Arguments.of(
            "no last chunk",
            text(ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
            Sender.Fate.UNCERTAIN,
            "connection closed (before the answer)"),
        Arguments.of(
            "cut head",
            text(ok + "Content-Length: 0\r\n"),
            Sender.Fate.UNCERTAIN,
            "connection closed (before the answer)"),
        Arguments.of(
            "lengths that are none",
            text(ok + "Content-Length: -3\r\n\r\nabc"),
            Sender.Fate.UNCERTAIN,
            "the exchange failed (the length of the answer is no number)"),
        Arguments.of(
            "endless headers",
            endless(ok, "X-A: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n"),
            Sender.Fate.UNCERTAIN,
            "the exchange failed (the head of the answer is too long)"),
        Arguments.of(
            "an endless header",
            endless(ok, "X".repeat(100)),
            Sender.Fate.UNCERTAIN,
            "the exchange failed (the head of the answer is too long)"),
        Arguments.of(
            "an endless body",
            endless(
                "HTTP/1.1 400 Bad\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n",
                "1000\r\n" + "A".repeat(4096) + "\r\n"),
            Sender.Fate.REFUSED,
            "status 400: " + "A".repeat(200) + "..."),
        Arguments.of(
            "a bomb",
            (RawReceiver.Answer)
                out -> {
                  out.write(ascii(ok + "Content-Encoding: gzip\r\nContent-Length: "));
                  out.write(ascii(bomb.size() + "\r\n\r\n"));
                  bomb.writeTo(out);
                },
            Sender.Fate.ACCEPTED,
            ""),
        Arguments.of(
            "another protocol",
            text("SSH-2.0-OpenSSH\r\n"),
            Sender.Fate.UNCERTAIN,
            "the exchange failed (the answer is not HTTP)"),
        Arguments.of(
            "control characters",
            text(
                "HTTP/1.1 401 No\r\nWWW-Authenticate: x\u001b[31m\r\n\r\nbad \u001b[2J\u0007\r\n x"),
            Sender.Fate.REFUSED,
            "status 401: bad [2J x"),
        Arguments.of(
            "a wait without end",
            text(
                "HTTP/1.1 503 No\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n"),
            Sender.Fate.LATER,
            "status 503"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  void eachIsToldInOneLine(String name, RawReceiver.Answer answer, Sender.Fate fate, String reason)
      throws IOException {
    try (RawReceiver receiver = new RawReceiver(answer)) {
      Sender.Outcome outcome = new Sender(receiver.target(2_000)).send(BODY);
      assertThat(outcome.reason()).as(name).isEqualTo(reason);
      assertThat(outcome.fate()).isEqualTo(fate);
      assertThat(receiver.requests()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"301", "302", "307", "308"})
  void redirectionsAreNotFollowed(int status) throws IOException {
    try (RawReceiver elsewhere = RawReceiver.answering("200 OK", new byte[0]);
        RawReceiver receiver =
            RawReceiver.answering(status + " Moved\r\nLocation: " + elsewhere.url(), new byte[0])) {
      Sender.Outcome outcome = new Sender(receiver.target(5_000)).send(BODY);
      assertThat(outcome.fate()).isEqualTo(Sender.Fate.REFUSED);
      assertThat(outcome.reason()).isEqualTo("status " + status);
      assertThat(elsewhere.requests()).isZero();
    }
  }

  @Test
  void aResetIsTold() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread resetting =
          new Thread(
              () -> {
                try (Socket connection = socket.accept()) {
                  connection.setSoLinger(true, 0);
                } catch (IOException e) {
                  // Closed.
                }
              });
      resetting.start();
      PushTarget target =
          PushTarget.of("http://127.0.0.1:" + socket.getLocalPort(), "--endpoint", Map.of());
      Sender.Outcome outcome = new Sender(target).send(new byte[8 << 20]);
      assertThat(outcome.fate()).isIn(Sender.Fate.UNCERTAIN, Sender.Fate.LATER);
      assertThat(outcome.reason()).startsWith("connection closed");
      resetting.join();
    }
  }

  @Test
  void whatMayHaveArrivedIsNotSentAgain() throws IOException {
    try (RawReceiver receiver =
        new RawReceiver(text("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nabc"))) {
      Delivery delivery = new Delivery(receiver.target(5_000), Delivery.LARGEST_PART, 30_000);
      assertThatThrownBy(() -> delivery.send(BODY))
          .hasMessage(
              "no answer, it may have arrived: connection closed (after 3 of 999 bytes of the"
                  + " answer)");
      assertThat(receiver.requests()).isEqualTo(1);
      assertThat(delivery.requests()).isZero();
    }
  }

  /** What the application has set for its own requests has no part in ours. */
  @Test
  void requestsOfTheApplicationAndOursAreApart() throws IOException {
    AtomicLong asked = new AtomicLong();
    CookieHandler before = CookieHandler.getDefault();
    CookieHandler.setDefault(
        new CookieHandler() {
          @Override
          public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers) {
            asked.incrementAndGet();
            return Map.of("Cookie", List.of("secret=1"));
          }

          @Override
          public void put(URI uri, Map<String, List<String>> headers) {
            asked.incrementAndGet();
          }
        });
    try (RawReceiver receiver = RawReceiver.answering("200 OK\r\nSet-Cookie: a=b", new byte[0])) {
      assertThat(new Sender(receiver.target(5_000)).send(BODY).fate())
          .isEqualTo(Sender.Fate.ACCEPTED);
      assertThat(asked.get()).isZero();
      assertThat(receiver.heads()).singleElement().asString().doesNotContain("secret");
    } finally {
      CookieHandler.setDefault(before);
    }
  }
}
