package org.buftrail.report.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestHeadTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n";

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** The request, or null if the text does not end a head. */
  private static @Nullable Request read(String text) throws MalformedRequestException {
    RequestHead head = new RequestHead();
    return head.add(bytes(text)) ? head.read() : null;
  }

  private static int status(String text) {
    try {
      return read(text) == null ? 0 : 200;
    } catch (MalformedRequestException e) {
      return e.status();
    }
  }

  @Test
  void whatIsRightIsRead() throws Exception {
    Request request =
        read(
            "POST /api/reset?a=%20b HTTP/1.1\r\nHOST:\t localhost:80 \r\nX-A: 1\r\nx-a: 2\r\nE:\r\n\r\n");
    assertThat(request).isNotNull();
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.uri().getPath()).isEqualTo("/api/reset");
    assertThat(request.header("Host")).isEqualTo("localhost:80");
    assertThat(request.header("host")).isEqualTo("localhost:80");
    assertThat(request.header("X-A")).as("two have no value").isNull();
    assertThat(request.header("E")).isEmpty();
    assertThat(request.header("None")).isNull();
    assertThat(request.takesChunks()).isTrue();
    Request old = read("GET /metrics HTTP/1.0\r\n\r\n");
    assertThat(old).isNotNull();
    assertThat(old.takesChunks()).isFalse();
  }

  @Test
  void aHeadMayComeByteByByteAndEndsWhereItEnds() throws Exception {
    RequestHead head = new RequestHead();
    for (char c : (GET + "\r").toCharArray()) {
      assertThat(head.add(bytes(String.valueOf(c)))).isFalse();
    }
    ByteBuffer rest = bytes("\nGET /next");
    assertThat(head.add(rest)).isTrue();
    assertThat(rest.remaining()).isEqualTo("GET /next".length());
    assertThat(head.read().uri().getPath()).isEqualTo("/");
  }

  /**
   * {@code ~} is CR LF, {@code ^} LF, {@code $} CR, {@code _} NUL; the end of the head is added.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET / HTTP/1.1~Host: h|200",
        "GET / HTTP/1.1~Host: h~Content-Length: 5|200",
        "POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked|200",
        "GET / HTTP/1.0|200",
        "OPTIONS /x HTTP/1.1~Host: h|200",
        "GET / HTTP/1.1|400",
        "GET / HTTP/1.1~Host: h~Host: h|400",
        "GET / HTTP/1.0~Host: h~HOST: i|400",
        "POST / HTTP/1.1~Host: h~Origin: http://h|200",
        "POST / HTTP/1.1~Host: h~Origin: http://h~Origin: http://i|400",
        "GET / HTTP/1.1~Host: h~Content-Length: 5~Content-Length: 5|400",
        "GET / HTTP/1.1~Host: h~Content-Length: 5~Transfer-Encoding: chunked|400",
        "GET / HTTP/1.1~Host: h~Transfer-Encoding: gzip~Transfer-Encoding: chunked|400",
        "GET / HTTP/1.0~Transfer-Encoding: chunked|400",
        "GET / HTTP/1.1~Host: h~Content-Length: -5|400",
        "GET / HTTP/1.1~Host: h~Content-Length: +5|400",
        "GET / HTTP/1.1~Host: h~Content-Length: 5, 5|400",
        "GET / HTTP/1.1~Host: h~Content-Length:|400",
        "GET / HTTP/1.1~Host: h~ folded|400",
        "GET / HTTP/1.1~ Host: h|400",
        "GET / HTTP/1.1~Host : h|400",
        "GET / HTTP/1.1~Host: h~: x|400",
        "GET / HTTP/1.1~Host: h~no colon|400",
        "GET / HTTP/1.1~Host: h~X: a$b|400",
        "GET / HTTP/1.1~Host: h~X: a_b|400",
        "GET / HTTP/1.1^Host: h|400",
        "GET / HTTP/1.1~Host: h~X: a^Y: b|400",
        "GET  / HTTP/1.1~Host: h|400",
        "GET / HTTP/1.1 ~Host: h|400",
        "GET / x HTTP/1.1~Host: h|400",
        "GET /|400",
        "~GET / HTTP/1.1~Host: h|400",
        "GET http://h/ HTTP/1.1~Host: h|400",
        "GET //metrics HTTP/1.1~Host: h|400",
        "OPTIONS * HTTP/1.1~Host: h|400",
        "CONNECT h:80 HTTP/1.1~Host: h|400",
        "GET /% HTTP/1.1~Host: h|400",
        "GET /a#b HTTP/1.1~Host: h|400",
        "GET /\u00e9 HTTP/1.1~Host: h|400",
        "G{T / HTTP/1.1~Host: h|400",
        "GET / http/1.1~Host: h|400",
        "GET / HTTP/1.10~Host: h|400",
        "GET / HTTP/2.0~Host: h|505",
        "PRI * HTTP/2.0|505",
      })
  void theRulesHold(String head, int status) {
    String text =
        head.replace("~", "\r\n").replace('^', '\n').replace('$', '\r').replace('_', '\0');
    assertThat(status(text + "\r\n\r\n")).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0016\u0003\u0001", " GET", "\r", "\n", "GET / HTTP/1.1\n", "\u00ff"})
  void whatCannotBecomeARequestIsNotWaitedFor(String start) {
    assertThat(status(start)).isEqualTo(400);
  }

  @Test
  void theHeadIsBounded() {
    assertThat(status("GET /" + "a".repeat(5 << 20))).isEqualTo(414);
    assertThat(status(GET + "X: " + "a".repeat(1 << 20))).isEqualTo(431);
    StringBuilder many = new StringBuilder(GET);
    for (int i = 2; i <= RequestHead.MAX_FIELDS; i++) {
      many.append("X").append(i).append(": y\r\n");
    }
    assertThat(status(many + "\r\n")).isEqualTo(200);
    assertThat(status(many + "Z: z\r\n\r\n")).isEqualTo(431);
    String fits = GET + "X: ";
    int room = RequestHead.MAX_BYTES - fits.length() - 4;
    assertThat(status(fits + "a".repeat(room) + "\r\n\r\n")).isEqualTo(200);
    assertThat(status(fits + "a".repeat(room + 1) + "\r\n\r\n")).isEqualTo(431);
  }

  /** Heads with random changes: each is read, refused or not whole yet, in any pieces the same. */
  @Test
  void whateverComesIsReadOrRefused() {
    Random random = new Random(22);
    String[] parts = {
      "GET",
      "POST",
      " ",
      "/",
      "/metrics",
      "HTTP/1.1",
      "HTTP/1.0",
      "\r\n",
      "\n",
      "\r",
      ":",
      ": ",
      "Host",
      "Content-Length",
      "Transfer-Encoding",
      "chunked",
      "5",
      "\t",
      "\0",
      "\u00fe",
      "%",
      "{"
    };
    int[] seen = new int[600];
    for (int i = 0; i < 200_000; i++) {
      StringBuilder text = new StringBuilder(GET + "Content-Length: 0\r\n\r\n");
      for (int change = random.nextInt(4); change >= 0; change--) {
        int at = random.nextInt(text.length());
        int end = Math.min(text.length(), at + random.nextInt(4));
        text.replace(at, end, parts[random.nextInt(parts.length)]);
      }
      int whole = status(text.toString());
      assertThat(whole).as("%s", text).isIn(0, 200, 400, 414, 431, 505);
      assertThat(inPieces(text.toString(), random)).as("%s", text).isEqualTo(whole);
      seen[whole]++;
    }
    assertThat(seen[200]).isPositive();
    assertThat(seen[400]).isPositive();
    assertThat(seen[0]).isPositive();
  }

  private static int inPieces(String text, Random random) {
    RequestHead head = new RequestHead();
    ByteBuffer all = bytes(text);
    try {
      while (all.hasRemaining()) {
        ByteBuffer piece = all.duplicate();
        piece.limit(Math.min(all.limit(), all.position() + 1 + random.nextInt(20)));
        all.position(piece.limit());
        if (head.add(piece)) {
          head.read();
          return 200;
        }
      }
      return 0;
    } catch (MalformedRequestException e) {
      return e.status();
    }
  }

  @Test
  void theReasonIsSaid() {
    assertThatThrownBy(() -> read("GET /\r\n\r\n"))
        .hasMessage("the first line is not a method, a path and a version");
  }
}
