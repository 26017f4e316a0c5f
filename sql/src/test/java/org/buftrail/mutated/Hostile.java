package org.buftrail.mutated;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Texts and numbers that hurt who trusts them. */
final class Hostile {
  /** What {@link Verdict} looks for in pages. */
  static final String SCRIPT = "<script>window.pwned=1</script>";

  static final List<String> TEXTS =
      List.of(
          "</script>" + SCRIPT,
          "<img src=x onerror=window.pwned=1>",
          "\u001b[31mred\u0007",
          "\u202egnp.exe",
          "a;b;c 99",
          "\"',\n=cmd|' /C calc'!A0",
          "`${1}`",
          "]-->|x|y\n graph TD",
          "\\\"];evil[label=\"",
          "\u0000\u0001\u007f\u0085\u009b31m",
          "%s%n%x",
          "{{7*7}}",
          "X\r\nX-Evil: 1",
          "\u2028\u2029",
          "\ud800",
          "$(id)",
          "../../../../pwned",
          "");

  static final long[] NUMBERS = {
    0,
    1,
    -1,
    2,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    Integer.MAX_VALUE,
    1L << 31,
    (1L << 32) - 1,
    1L << 32,
    1L << 52,
    1L << 53,
    1L << 62,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MAX_VALUE - 1,
    -1_000_000
  };

  static final List<String> JSON_VALUES =
      List.of(
          "-1",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "1e400",
          "NaN",
          "1.5",
          "0",
          "\"7\"",
          "null",
          "[]",
          "{}",
          "true",
          "4294967296",
          "99999999999999999999999999999");

  private Hostile() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
