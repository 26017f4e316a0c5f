package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

final class TextTest {
  @Property(tries = 300)
  void aTextIsPassedOverAsItIsRead(
      @ForAll @IntRange(max = 600) int plain,
      @ForAll @StringLength(max = 40) @CharRange(from = 'a', to = '\uffff') String rest) {
    String text = "x".repeat(plain) + rest + "y";
    byte[] encoded = encode(text);
    byte[] bytes = new byte[encoded.length + Window.SLACK];
    System.arraycopy(encoded, 0, bytes, 0, encoded.length);
    Window window = new Window(bytes, encoded.length, true);
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
