package org.buftrail.profile.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What protobuf's own library writes is read; what nobody may write is refused at its byte. */
final class ProtobufDecoderTest {
  /** More than the decoder reads at a time, several times over. */
  private static final int LARGE = 200_000;

  private interface Content {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] written(Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    content.write(out);
    out.flush();
    return bytes.toByteArray();
  }

  private static ProtobufDecoder decoder(int... bytes) {
    byte[] message = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      message[i] = (byte) bytes[i];
    }
    return new ProtobufDecoder(new ByteArrayInputStream(message));
  }

  /** Gives no more than so many bytes at a time. */
  private static ProtobufDecoder decoder(byte[] message, int most) {
    return new ProtobufDecoder(
        new ByteArrayInputStream(message) {
          @Override
          public int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, most));
          }
        });
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 65_535, 65_536, 1 << 20})
  void everyKindOfFieldIsRead(int most) throws IOException {
    byte[] large = bytes(LARGE);
    byte[] message =
        written(
            out -> {
              out.writeUInt64(1, 300);
              out.writeInt64(2, -1);
              out.writeFixed32(3, 0xFEDC_BA98);
              out.writeFixed64(4, 0xFEDC_BA98_7654_3210L);
              out.writeByteArray(5, large);
              out.writeByteArray(6, new byte[0]);
              out.writeByteArray(7, new byte[] {8});
              out.writeBool((1 << 29) - 1, true);
            });
    ProtobufDecoder decoder = decoder(message, most);
    assertThat(decoder.readField()).isEqualTo(1);
    assertThat(decoder.wireType()).isEqualTo(WireType.VARINT);
    assertThat(decoder.readVarint()).isEqualTo(300);
    assertThat(decoder.position()).isEqualTo(3);
    assertThat(decoder.readField()).isEqualTo(2);
    assertThat(decoder.readVarint()).isEqualTo(-1);
    assertThat(decoder.readField()).isEqualTo(3);
    assertThat(decoder.wireType()).isEqualTo(WireType.FIXED32);
    assertThat(decoder.readFixed32()).isEqualTo(0xFEDC_BA98);
    assertThat(decoder.readField()).isEqualTo(4);
    assertThat(decoder.wireType()).isEqualTo(WireType.FIXED64);
    assertThat(decoder.readFixed64()).isEqualTo(0xFEDC_BA98_7654_3210L);
    assertThat(decoder.readField()).isEqualTo(5);
    assertThat(decoder.wireType()).isEqualTo(WireType.LENGTH);
    assertThat(decoder.readBytes()).isEqualTo(large);
    assertThat(decoder.readField()).isEqualTo(6);
    assertThat(decoder.readBytes()).isEmpty();
    assertThat(decoder.readField()).isEqualTo(7);
    assertThat(decoder.readBytes()).containsExactly(8);
    assertThat(decoder.readField()).isEqualTo((1 << 29) - 1);
    assertThat(decoder.readVarint()).isEqualTo(1);
    assertThat(decoder.readField()).isZero();
    assertThat(decoder.position()).isEqualTo(message.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 13, 1 << 20})
  void fieldsThatNobodyWantsArePassedOver(int most) throws IOException {
    byte[] message =
        written(
            out -> {
              out.writeInt64(1, Long.MIN_VALUE);
              out.writeFixed32(2, -1);
              out.writeFixed64(3, -1);
              out.writeByteArray(4, bytes(LARGE));
              out.writeUInt32(5, 55);
            });
    ProtobufDecoder decoder = decoder(message, most);
    for (int field = 1; field < 5; field++) {
      assertThat(decoder.readField()).isEqualTo(field);
      decoder.skipField();
    }
    assertThat(decoder.readField()).isEqualTo(5);
    assertThat(decoder.readVarint()).isEqualTo(55);
    assertThat(decoder.readField()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 1 << 20})
  void messagesWithinMessagesEndWhereTheyEnd(int most) throws IOException {
    byte[] inner = written(out -> out.writeByteArray(1, bytes(70)));
    byte[] outer =
        written(
            out -> {
              out.writeUInt32(1, 11);
              out.writeByteArray(2, inner);
              out.writeByteArray(3, new byte[] {1, (byte) 0x80, 1});
              out.writeUInt32(4, 44);
            });
    byte[] message =
        written(
            out -> {
              out.writeByteArray(1, outer);
              out.writeUInt32(2, 22);
            });
    ProtobufDecoder decoder = decoder(message, most);
    assertThat(decoder.readField()).isEqualTo(1);
    long top = decoder.enter();
    assertThat(decoder.left()).isEqualTo(outer.length);
    assertThat(decoder.readField()).isEqualTo(1);
    assertThat(decoder.readVarint()).isEqualTo(11);
    assertThat(decoder.left()).isEqualTo(outer.length - 2);
    assertThat(decoder.readField()).isEqualTo(2);
    long middle = decoder.enter();
    assertThat(decoder.readField()).isEqualTo(1);
    assertThat(decoder.readBytes()).isEqualTo(bytes(70));
    assertThat(decoder.readField()).isZero();
    decoder.leave(middle);
    assertThat(decoder.readField()).isEqualTo(3);
    middle = decoder.enter();
    assertThat(decoder.readVarint()).isEqualTo(1);
    assertThat(decoder.left()).isEqualTo(2);
    assertThat(decoder.readVarint()).isEqualTo(128);
    assertThat(decoder.left()).isZero();
    decoder.leave(middle);
    // What comes after the fields that were wanted.
    decoder.leave(top);
    assertThat(decoder.readField()).isEqualTo(2);
    assertThat(decoder.readVarint()).isEqualTo(22);
    assertThat(decoder.readField()).isZero();
  }

  @Test
  void bytesAreReadInPartsThatAreNoLargerThanAskedFor() throws IOException {
    byte[] content = bytes(LARGE);
    byte[] message =
        written(
            out -> {
              out.writeByteArray(1, content);
              out.writeUInt32(2, 22);
            });
    ProtobufDecoder decoder = decoder(message, 1_000);
    decoder.readField();
    long outer = decoder.enter();
    byte[] read = new byte[LARGE + 10];
    int done = 5;
    for (int asked = 1; ; asked = asked % 70 + 1) {
      int part = decoder.read(read, done, asked);
      if (part < 0) {
        break;
      }
      assertThat(part).isBetween(1, asked);
      done += part;
    }
    assertThat(Arrays.copyOfRange(read, 5, done)).isEqualTo(content);
    assertThat(read).startsWith(0, 0, 0, 0, 0).endsWith(0, 0, 0, 0, 0);
    decoder.leave(outer);
    assertThat(decoder.readField()).isEqualTo(2);
  }

  @Test
  void aMessageThatIsCutAnywhereIsRefusedAtItsEnd() throws IOException {
    byte[] message =
        written(
            out -> {
              out.writeFixed64(1, 1);
              out.writeByteArray(2, bytes(300));
              out.writeFixed32(1 << 20, 1);
            });
    for (int cut = 0; cut < message.length; cut++) {
      byte[] part = Arrays.copyOf(message, cut);
      if (cut != 0 && cut != 9 && cut != 312) {
        String where = "the message is cut off at byte " + cut;
        assertThatThrownBy(() -> readAll(decoder(part, 1 << 20)))
            .isInstanceOf(MalformedMessageException.class)
            .hasMessage(where);
        assertThatThrownBy(() -> skipAll(decoder(part, 1 << 20)))
            .isInstanceOf(MalformedMessageException.class)
            .hasMessage(where);
      } else {
        readAll(decoder(part, 1 << 20));
        skipAll(decoder(part, 1 << 20));
      }
    }
  }

  @Test
  void aMessageWithinAMessageIsNotOverWhereItIsCut() throws IOException {
    ProtobufDecoder decoder = decoder(0x0a, 4, 0x08, 1);
    decoder.readField();
    decoder.enter();
    assertThat(decoder.readField()).isEqualTo(1);
    assertThat(decoder.readVarint()).isEqualTo(1);
    assertThatThrownBy(decoder::readField)
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("the message is cut off at byte 4");
  }

  private static void readAll(ProtobufDecoder decoder) throws IOException {
    for (int field = decoder.readField(); field != 0; field = decoder.readField()) {
      switch (decoder.wireType()) {
        case WireType.FIXED64 -> decoder.readFixed64();
        case WireType.FIXED32 -> decoder.readFixed32();
        default -> decoder.readBytes();
      }
    }
  }

  private static void skipAll(ProtobufDecoder decoder) throws IOException {
    while (decoder.readField() != 0) {
      decoder.skipField();
    }
  }

  @Test
  void bytesThatAreCutOffAreNotReadInParts() throws IOException {
    ProtobufDecoder decoder = decoder(0x0a, 5, 1, 2);
    decoder.readField();
    decoder.enter();
    assertThat(decoder.read(new byte[9], 0, 9)).isEqualTo(2);
    assertThatThrownBy(() -> decoder.read(new byte[9], 0, 9))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("the message is cut off at byte 4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0x00                           | no field has the number 0, byte 0",
        "0x80 0x80 0x80 0x80 0x10       | no field has the number 536870912, byte 0",
        "0x08 0x01 0x07                 | no field has the number 0, byte 2",
      })
  void numbersThatNoFieldHasAreRefused(String message, String reason) {
    ProtobufDecoder decoder = decoder(numbers(message));
    assertThatThrownBy(() -> skipAll(decoder))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage(reason);
  }

  private static int[] numbers(String text) {
    return Arrays.stream(text.trim().split(" ")).mapToInt(Integer::decode).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 6, 7})
  void wireTypesOfOtherFormatsAreRefused(int wireType) throws IOException {
    ProtobufDecoder decoder = decoder(8 | wireType, 0);
    assertThat(decoder.readField()).isEqualTo(1);
    assertThatThrownBy(decoder::skipField)
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("wire type " + wireType + " at byte 1 is not of this format");
  }

  @Test
  void aNumberHasTenBytesAtMost() throws IOException {
    int[] bytes = new int[11];
    Arrays.fill(bytes, 0xff);
    assertThatThrownBy(() -> decoder(bytes).readVarint())
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("a number has more than 64 bits, byte 10");
    bytes[9] = 1;
    assertThat(decoder(bytes).readVarint()).isEqualTo(-1);
    bytes[9] = 2;
    assertThatThrownBy(() -> decoder(bytes).readVarint())
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("a number has more than 64 bits, byte 10");
  }

  @Test
  void aFieldDoesNotEndBehindItsMessage() throws IOException {
    ProtobufDecoder number = decoder(0x0a, 2, 0x08, 0x80, 1);
    number.readField();
    number.enter();
    assertThat(number.readField()).isEqualTo(1);
    assertThatThrownBy(number::readVarint)
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("a field ends behind its message, byte 4");
    ProtobufDecoder bytes = decoder(0x0a, 4, 0x0a, 3, 1, 2, 3);
    bytes.readField();
    bytes.enter();
    bytes.readField();
    assertThatThrownBy(bytes::enter)
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("a field of 3 bytes at byte 3, where 2 are left");
    ProtobufDecoder exact = decoder(0x0a, 4, 0x0a, 2, 1, 2);
    exact.readField();
    exact.enter();
    exact.readField();
    assertThat(exact.readBytes()).containsExactly(1, 2);
  }

  @Test
  void lengthsThatNothingHasAreRefused() throws IOException {
    ProtobufDecoder negative = decoder(0x0a, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1);
    negative.readField();
    assertThatThrownBy(negative::enter)
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("a field of 18446744073709551615 bytes at byte 1");
    ProtobufDecoder tooLong = decoder(0x0a, 0xff, 0xff, 0xff, 0xff, 0x07);
    tooLong.readField();
    assertThatThrownBy(tooLong::readBytes)
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("a field of 2147483647 bytes at byte 6 is too long");
  }

  /** The length is a claim: memory is taken for what is there. */
  @Test
  void aLengthAloneTakesNoMemory() throws IOException {
    byte[] message = new byte[100_000];
    message[0] = 0x0a;
    Arrays.fill(message, 1, 4, (byte) 0xff);
    message[4] = (byte) 0xff;
    message[5] = 0x03;
    InputStream in = new ByteArrayInputStream(message);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    ProtobufDecoder decoder = new ProtobufDecoder(in);
    decoder.readField();
    assertThatThrownBy(decoder::readBytes).hasMessage("the message is cut off at byte 100000");
    long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    assertThat(after - before).isLessThan(4_000_000);
  }
}
