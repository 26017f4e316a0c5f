package org.buftrail.profile.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PrintableTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"", "org.example.Service.call", "a\tb", "Größe", "日本語", "😀", "[ЗАПИСЬ tid=1]"})
  void textStaysAsItIs(String text) {
    assertThat(Printable.line(text)).isEqualTo(text);
    assertThat(Printable.lines(text)).isEqualTo(text);
  }

  /** Escape, bell, delete, one of C1; what reverses text or is not seen; both separators. */
  @ParameterizedTest
  @CsvSource({
    "1b, \\u001b",
    "7, \\u0007",
    "7f, \\u007f",
    "9b, \\u009b",
    "202e, \\u202e",
    "2066, \\u2066",
    "200b, \\u200b",
    "2028, \\u2028",
    "2029, \\u2029",
    "0, \\u0000",
    "8, \\u0008"
  })
  void whatControlsATerminalIsWritten(String character, String written) {
    String text = "a" + (char) Integer.parseInt(character, 16) + "b";
    assertThat(Printable.line(text)).isEqualTo("a" + written + "b");
    assertThat(Printable.lines(text)).isEqualTo("a" + written + "b");
  }

  @Test
  void oneLineStaysOne() {
    assertThat(Printable.line("a\nb\r\nc\rd")).isEqualTo("a\\u000ab\\u000d\\u000ac\\u000dd");
    assertThat(Printable.lines("a\nb\r\nc\rd")).isEqualTo("a\nb\r\nc\\u000dd");
  }
}
