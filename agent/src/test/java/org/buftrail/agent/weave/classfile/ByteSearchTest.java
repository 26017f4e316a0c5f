package org.buftrail.agent.weave.classfile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class ByteSearchTest {
  private static boolean contains(String text, String wanted) {
    return ByteSearch.contains(text.getBytes(ISO_8859_1), wanted.getBytes(ISO_8859_1));
  }

  @Test
  void findsAtBothEndsAndPastABeginningThatRepeats() {
    assertThat(contains("netty/buffer", "netty")).isTrue();
    assertThat(contains("io/netty", "netty")).isTrue();
    assertThat(contains("netty", "netty")).isTrue();
    assertThat(contains("nenetty", "netty")).isTrue();
    assertThat(contains("nett", "netty")).isFalse();
    assertThat(contains("", "n")).isFalse();
  }

  /** Bytes of 128 and more are negative, and share their last six bits with others. */
  @Test
  void findsNegativeBytes() {
    assertThat(contains("a\u00fe\u00ff\u0080b", "\u00ff\u0080")).isTrue();
    assertThat(contains("a\u00be\u00bf@b", "\u00ff\u0080")).isFalse();
  }

  /** Texts of few letters match in part nearly everywhere. */
  @Test
  void agreesWithTheSearchOfStrings() {
    Random random = new Random(24);
    int found = 0;
    for (int i = 0; i < 20_000; i++) {
      String text = text(random, random.nextInt(40));
      String wanted = text(random, 1 + random.nextInt(6));
      boolean expected = text.contains(wanted);
      assertThat(contains(text, wanted)).as("%s in %s", wanted, text).isEqualTo(expected);
      found += expected ? 1 : 0;
    }
    assertThat(found).isBetween(5_000, 15_000);
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("ab\u00e1".charAt(random.nextInt(3)));
    }
    return text.toString();
  }
}
