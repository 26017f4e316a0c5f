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
import org.buftrail.profile.Payload;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
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

  /** Numbers of any length in binary: the ends of a range of bytes are as likely as its middle. */
  private static long number(Random random) {
    long end = 1L << random.nextInt(64);
    return switch (random.nextInt(4)) {
      case 0 -> end;
      case 1 -> end - 1;
      case 2 -> -end;
      default -> random.nextLong() >> random.nextInt(64);
    };
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(40); i > 0; i--) {
      text.append((char) (random.nextInt(0x1_0000) >> random.nextInt(16)));
    }
    return text.toString();
  }

  @RepeatedTest(50)
  void scalarsAreWrittenAsByProtobuf(RepetitionInfo seed) throws IOException {
    Random random = new Random(seed.getCurrentRepetition());
    int field = (int) Math.max(1, number(random) & ((1 << 29) - 1));
    long number = number(random);
    int small = (int) number(random);
    double real = Double.longBitsToDouble(number(random));
    String text = text(random);
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    encoder.writeVarint(field, number);
    encoder.writeVarint(field, small);
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
                  out.writeFixed64(field, number);
                  out.writeDouble(field, real);
                  out.writeString(field, text);
                  out.writeByteArray(field, bytes);
                }));
  }

  @Test
  void varintSizesAreThoseOfProtobuf() {
    for (int bits = 0; bits < 64; bits++) {
      for (int more = -2; more <= 2; more++) {
        long number = (1L << bits) + more;
        assertThat(ProtobufEncoder.varintSize(number))
            .isEqualTo(CodedOutputStream.computeUInt64SizeNoTag(number));
      }
    }
  }

  @RepeatedTest(100)
  void packedNumbersAreWrittenAsByProtobuf(RepetitionInfo seed) throws IOException {
    Random random = new Random(seed.getCurrentRepetition());
    int most = 1 << (seed.getCurrentRepetition() % 15);
    int[] values = random.ints(random.nextInt(most)).map(n -> n >> random.nextInt(32)).toArray();
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

  @RepeatedTest(40)
  void nestedMessagesOfAllSizesAreWrittenAsByProtobuf(RepetitionInfo seed) throws IOException {
    Random random = new Random(seed.getCurrentRepetition());
    ByteString expected = randomMessage(random, 5, false);
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
