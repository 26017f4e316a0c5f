package org.buftrail.profile.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers as they come over the wire; in the tables {@code |} ends a line. */
final class AnswerTest {
  private static Answer read(String text) throws IOException {
    String lines = text.replace("|", "\r\n");
    return Answer.read(new ByteArrayInputStream(lines.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static String body(String text) throws IOException {
    return new String(read(text).body(), StandardCharsets.ISO_8859_1);
  }

  @Test
  void theHeadIsReadWhateverTheCase() throws IOException {
    Answer answer = read("HTTP/1.1 503 Busy|retry-after:  7 |no header|X: a|x: b||");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.header("Retry-After")).isEqualTo("7");
    assertThat(answer.header("X")).as("the first of two").isEqualTo("a");
    assertThat(answer.header("Y")).isNull();
    assertThat(read("HTTP/1.0 200\nA: b\n\n").header("a")).isEqualTo("b");
  }

  @Test
  void whatGoesBeforeTheAnswerIsPassedOver() throws IOException {
    String before = "HTTP/1.1 100 Continue|X: 1||";
    Answer answer = read(before.repeat(10) + "HTTP/1.1 200 OK||");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("X")).isNull();
    assertThatThrownBy(() -> read(before.repeat(11) + "HTTP/1.1 200 OK||"))
        .hasMessage("the receiver goes on to say that it will answer, and does not");
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1 200 OK|Content-Length: 3||abcd, abc",
    "HTTP/1.1 200 OK|Content-Length: 0||abcd, ''",
    "HTTP/1.1 200 OK||abcd, abcd",
    "HTTP/1.1 204 No|Content-Length: 3||abc, ''",
    "HTTP/1.1 304 No||abc, ''",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||3|abc|2;x=y|de|0||, abcde",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||a |0123456789|0||, 0123456789",
    "HTTP/1.1 200 OK|Content-Length: 1|Transfer-Encoding: chunked||2|ab|0||, ab",
  })
  void theBodyIsAsLongAsTheHeadSays(String answer, String body) throws IOException {
    assertThat(body(answer)).isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1 200 OK|Content-Length: 3||ab, after 2 of 3 bytes of the answer",
    "HTTP/1.1 200 OK|Content-Length: 3x||abc, the length of the answer is no number",
    "HTTP/1.1 200 OK|Content-Length: -1||abc, the length of the answer is no number",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||x|abc, a chunk of the answer has no length",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||9|abc, within a chunk of the answer",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|abc|0||, a chunk of the answer is longer than it says",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||3|abc|, before the answer",
    "HTTP/2 200 OK||, the answer is not HTTP",
    "HTTP/1.1 099 OK||, the answer is not HTTP",
    "HTTP/1.1 200 OK|X: y, before the answer",
  })
  void whatIsWrongIsSaid(String answer, String message) {
    assertThatThrownBy(() -> body(answer)).isInstanceOf(IOException.class).hasMessage(message);
  }

  @Test
  void noMoreIsKeptThanIsRead() throws IOException {
    String much = "x".repeat(Answer.MAX_BODY + 9);
    assertThat(body("HTTP/1.1 400 No||" + much)).hasSize(Answer.MAX_BODY);
    assertThat(body("HTTP/1.1 400 No|Content-Length: " + much.length() + "||" + much))
        .hasSize(Answer.MAX_BODY);
    String chunk = Integer.toHexString(much.length()) + "|" + much + "|";
    assertThat(body("HTTP/1.1 400 No|Transfer-Encoding: chunked||" + chunk.repeat(2)))
        .hasSize(Answer.MAX_BODY);
    assertThatThrownBy(() -> read("HTTP/1.1 200 OK|X: " + "y".repeat(1 << 16) + "||"))
        .hasMessage("the head of the answer is too long");
  }
}
