package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.buftrail.jfr.file.Cursor;
import org.buftrail.jfr.file.Text;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

final class TextTest {
  @RepeatedTest(300)
  void aTextIsPassedOverAsItIsRead(RepetitionInfo seed) {
    Random random = new Random(seed.getCurrentRepetition());
    StringBuilder rest = new StringBuilder();
    for (int i = random.nextInt(41); i > 0; i--) {
      rest.append((char) ('a' + (random.nextInt(0x1_0000 - 'a') >> random.nextInt(12))));
    }
    String text = "x".repeat(random.nextInt(601)) + rest + "y";
    byte[] encoded = encode(text);
    byte[] bytes = new byte[encoded.length + Cursor.SLACK];
    System.arraycopy(encoded, 0, bytes, 0, encoded.length);
    Cursor window = new Cursor(bytes, encoded.length, true);
    Text.skip(window);
    assertThat(window.position).isEqualTo(encoded.length);
    window.position = 0;
    assertThat(Text.read(window)).isEqualTo(text);
    assertThat(window.position).isEqualTo(encoded.length);
  }

  private static byte[] encode(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Text.CHARS);
    varint(bytes, text.length());
    text.chars().forEach(c -> varint(bytes, c));
    return bytes.toByteArray();
  }

  private static void varint(ByteArrayOutputStream bytes, int value) {
    int left = value;
    for (; left > 0x7f; left >>>= 7) {
      bytes.write(left | 0x80);
    }
    bytes.write(left);
  }
}
