package org.buftrail.profile.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.buftrail.profile.Payload;
import org.junit.jupiter.api.Test;

class ProtobufEncoderTest {
  private final ProtobufEncoder encoder = new ProtobufEncoder();

  private interface Reference {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] reference(Reference reference) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    reference.write(out);
    out.flush();
    return bytes.toByteArray();
  }

  @Property
  void scalarsAreWrittenAsByProtobuf(
      @ForAll @IntRange(min = 1, max = (1 << 29) - 1) int field,
      @ForAll long number,
      @ForAll int small,
      @ForAll double real,
      @ForAll String text,
      @ForAll byte[] bytes)
      throws IOException {
    encoder.clear();
    encoder.writeVarint(field, number);
    encoder.writeVarint(field, small);
    encoder.writeZigZag(field, number);
    encoder.writeFixed32(field, small);
    encoder.writeFixed64(field, number);
    encoder.writeDouble(field, real);
    encoder.writeString(field, text);
    encoder.writeBytes(field, bytes, 0, bytes.length);
    assertThat(encoder.toByteArray())
        .isEqualTo(
            reference(
                out -> {
                  out.writeInt64(field, number);
                  out.writeInt32(field, small);
                  out.writeSInt64(field, number);
                  out.writeFixed32(field, small);
                  out.writeFixed64(field, number);
                  out.writeDouble(field, real);
                  out.writeString(field, text);
                  out.writeByteArray(field, bytes);
                }));
  }

  @Property
  void varintSizesAreThoseOfProtobuf(@ForAll long number) {
    assertThat(ProtobufEncoder.varintSize(number))
        .isEqualTo(CodedOutputStream.computeUInt64SizeNoTag(number));
  }

  @Property(tries = 100)
  void packedNumbersAreWrittenAsByProtobuf(@ForAll @Size(max = 20_000) int[] values)
      throws IOException {
    encoder.clear();
    encoder.writePacked(7, values, 0, values.length);
    int size = Arrays.stream(values).map(CodedOutputStream::computeInt32SizeNoTag).sum();
    byte[] expected =
        reference(
            out -> {
              if (values.length > 0) {
                out.writeTag(7, WireType.LENGTH);
                out.writeUInt32NoTag(size);
                for (int value : values) {
                  out.writeInt32NoTag(value);
                }
              }
            });
    assertThat(encoder.toByteArray()).isEqualTo(expected);
  }

  /** Writes a random tree of messages with both encoders. */
  private ByteString randomMessage(Random random, int depth, boolean small) throws IOException {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    int fields = random.nextInt(small ? 4 : 12);
    for (int i = 0; i < fields; i++) {
      int field = 1 + random.nextInt(40);
      if (random.nextInt(3) > 0 || depth == 0) {
        int length = random.nextInt(small ? 200 : 9_000);
        String text = "x".repeat(length);
        encoder.writeString(field, text);
        out.writeString(field, text);
      } else {
        boolean bounded = small || random.nextBoolean();
        int mark = encoder.open(field, bounded ? (small ? 2_500 : 9_000) : Long.MAX_VALUE);
        ByteString nested = randomMessage(random, bounded ? 0 : depth - 1, bounded);
        encoder.close(mark);
        out.writeBytes(field, nested);
      }
    }
    out.flush();
    return bytes.toByteString();
  }

  @Property(tries = 200)
  void nestedMessagesOfAllSizesAreWrittenAsByProtobuf(@ForAll long seed) throws IOException {
    encoder.clear();
    ByteString expected = randomMessage(new Random(seed), 5, false);
    assertThat(encoder.size()).isEqualTo(expected.size());
    assertThat(encoder.toByteArray()).isEqualTo(expected.toByteArray());
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    encoder.writeTo(target);
    assertThat(target.toByteArray()).isEqualTo(expected.toByteArray());
  }

  @Test
  void aMessageLongerThanItsBoundIsRefused() {
    encoder.raw(new byte[65_000], 0, 65_000);
    encoder.open(1, 10);
    assertThatThrownBy(() -> encoder.raw(new byte[70_000], 0, 70_000))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a message is longer than the bound that it was opened with");
  }

  private static Payload payload(long claimed, byte[] content) {
    return new Payload() {
      @Override
      public String format() {
        return "jfr";
      }

      @Override
      public long size() {
        return claimed;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(content);
      }
    };
  }

  @Test
  void aPayloadIsCopiedFromItsSource() throws IOException {
    byte[] content = new byte[200_000];
    new Random(1).nextBytes(content);
    int mark = encoder.open(2, Long.MAX_VALUE);
    encoder.writeVarint(1, 5);
    encoder.writePayload(10, payload(content.length, content));
    encoder.writeVarint(11, 6);
    encoder.close(mark);
    byte[] nested =
        reference(
            out -> {
              out.writeInt64(1, 5);
              out.writeByteArray(10, content);
              out.writeInt64(11, 6);
            });
    assertThat(encoder.toByteArray()).isEqualTo(reference(out -> out.writeByteArray(2, nested)));
    assertThat(encoder.size()).isEqualTo(encoder.toByteArray().length);
  }

  @Test
  void aPayloadThatShrankIsAnErrorAndOneThatGrewIsCut() throws IOException {
    encoder.writePayload(1, payload(4, new byte[] {1, 2, 3}));
    assertThatThrownBy(() -> encoder.writeTo(new ByteArrayOutputStream()))
        .isInstanceOf(IOException.class)
        .hasMessage("the original payload is 1 bytes shorter than it was");
    encoder.clear();
    encoder.writePayload(1, payload(2, new byte[] {1, 2, 3}));
    assertThat(encoder.toByteArray()).containsExactly(0x0A, 2, 1, 2);
    assertThatThrownBy(() -> encoder.writePayload(1, payload(1L << 31, new byte[0])))
        .hasMessageStartingWith("the original payload has 2147483648 bytes");
  }
}
