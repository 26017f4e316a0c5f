package org.buftrail.profile.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.buftrail.profile.Payload;
import org.buftrail.profile.dictionary.StringTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that meet the end of a segment of memory, and messages put together of pieces. */
final class SegmentsTest {
  private static final int SEGMENT = 1 << 16;
  private static final int[] NUMBERS = {0, 1, 127, 128, 16_383, 16_384, Integer.MAX_VALUE, -1};

  private static final StringTable STRINGS = new StringTable();
  private static final int ENTRY_INDEX = STRINGS.intern("a.b.Entry");

  private final ProtobufEncoder encoder = new ProtobufEncoder();

  private interface Content<T> {
    void write(T out) throws IOException;
  }

  private static byte[] written(Content<CodedOutputStream> content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    content.write(out);
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** A kind of field, as it is written here and by protobuf. */
  private record Field(
      String name, Content<ProtobufEncoder> here, Content<CodedOutputStream> there) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Field> fields() {
    return Stream.of(
        new Field("varint", e -> e.writeVarint(7, -1), out -> out.writeInt64(7, -1)),
        new Field("bare", e -> e.varint(-1), out -> out.writeUInt64NoTag(-1)),
        new Field(
            "fixed64", e -> e.writeFixed64(1 << 28, -2), out -> out.writeFixed64(1 << 28, -2)),
        new Field("bare fixed64", e -> e.fixed64(-2), out -> out.writeFixed64NoTag(-2)),
        new Field("double", e -> e.writeDouble(7, 0.1), out -> out.writeDouble(7, 0.1)),
        new Field("text", e -> e.writeString(7, "plain"), out -> out.writeString(7, "plain")),
        new Field(
            "wide text",
            e -> e.writeString(7, "w\u00efde"),
            out -> out.writeString(7, "w\u00efde")),
        new Field(
            "entry",
            e -> e.writeString(7, STRINGS, ENTRY_INDEX),
            out -> out.writeString(7, "a.b.Entry")),
        new Field(
            "bytes",
            e -> e.writeBytes(7, new byte[] {9, 1, 2, 9}, 1, 2),
            out -> out.writeByteArray(7, new byte[] {1, 2})),
        new Field(
            "packed",
            e -> e.writePacked(7, NUMBERS, 1, NUMBERS.length),
            out -> {
              ByteArrayOutputStream packed = new ByteArrayOutputStream();
              CodedOutputStream numbers = CodedOutputStream.newInstance(packed);
              for (int i = 1; i < NUMBERS.length; i++) {
                numbers.writeInt32NoTag(NUMBERS[i]);
              }
              numbers.flush();
              out.writeByteArray(7, packed.toByteArray());
            }),
        new Field(
            "payload",
            e -> e.writePayload(7, payload(new byte[] {1, 2})),
            out -> out.writeByteArray(7, new byte[] {1, 2})),
        new Field(
            "small message",
            e -> {
              int mark = e.open(7, 40);
              e.writeVarint(1, -1);
              e.close(mark);
            },
            out -> out.writeByteArray(7, written(inner -> inner.writeInt64(1, -1)))),
        new Field(
            "message",
            e -> {
              ProtobufEncoder other = new ProtobufEncoder();
              other.writeVarint(1, -1);
              e.writeMessage(7, other);
            },
            out -> out.writeByteArray(7, written(inner -> inner.writeInt64(1, -1)))),
        new Field(
            "reserved",
            e -> {
              byte[] target = e.reserve(3);
              Arrays.fill(target, e.position(), e.position() + 3, (byte) 5);
              e.advance(e.position() + 3);
            },
            out -> out.writeRawBytes(new byte[] {5, 5, 5})));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aFieldIsWholeWhereverTheSegmentEnds(Field field) throws IOException {
    for (int left = 0; left < 90; left++) {
      byte[] before = bytes(SEGMENT - left);
      encoder.clear();
      encoder.raw(before, 0, before.length);
      field.here.write(encoder);
      encoder.writeVarint(2, 2);
      byte[] expected =
          written(
              out -> {
                out.writeRawBytes(before);
                field.there.write(out);
                out.writeInt32(2, 2);
              });
      assertThat(encoder.size()).isEqualTo(expected.length);
      assertThat(Arrays.equals(encoder.toByteArray(), expected)).as("%s left", left).isTrue();
    }
  }

  /** Texts up to the longest that is written in one go, and longer. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 127, 128, 16_383, 16_384, 16_385, 70_000})
  void textsOfAllLengthsAreWritten(int length) throws IOException {
    String plain = "p".repeat(length);
    String wide = "\u20ac".repeat(length / 3) + plain.substring(length / 3 * 3);
    StringTable strings = new StringTable();
    for (String text : List.of(plain, wide)) {
      encoder.clear();
      encoder.raw(new byte[SEGMENT - 10], 0, SEGMENT - 10);
      encoder.writeString(1, text);
      encoder.writeString(2, strings, strings.intern(text));
      byte[] expected =
          written(
              out -> {
                out.writeRawBytes(new byte[SEGMENT - 10]);
                out.writeString(1, text);
                out.writeString(2, text);
              });
      assertThat(Arrays.equals(encoder.toByteArray(), expected)).isTrue();
    }
  }

  @Test
  void aMessageOfAnotherEncoderIsCopiedWithAllItsPieces() throws IOException {
    ProtobufEncoder other = new ProtobufEncoder();
    int mark = other.open(3, Long.MAX_VALUE);
    other.writeBytes(4, bytes(SEGMENT + 9), 0, SEGMENT + 9);
    other.writePayload(5, payload(bytes(500)));
    other.close(mark);
    other.writeVarint(6, 66);
    byte[] inner = other.toByteArray();
    encoder.writeVarint(1, 11);
    encoder.writeMessage(2, other);
    other.clear();
    other.writeBytes(9, new byte[SEGMENT], 0, SEGMENT);
    encoder.writeVarint(3, 33);
    assertThat(encoder.toByteArray())
        .isEqualTo(
            written(
                out -> {
                  out.writeInt32(1, 11);
                  out.writeByteArray(2, inner);
                  out.writeInt32(3, 33);
                }));
  }

  @Test
  void theStreamOfAMessageIsReadByBytesAndClosesWhatItReads() throws IOException {
    List<String> closed = new ArrayList<>();
    encoder.writeVarint(1, 255);
    encoder.writePayload(2, payload(new byte[] {-1, 0, 1}, () -> closed.add("first")));
    encoder.writePayload(3, payload(new byte[] {5, 6}, () -> closed.add("second")));
    try (InputStream in = encoder.open()) {
      byte[] start = {0x08, (byte) 0xff, 0x01, 0x12, 3, -1, 0, 1};
      for (byte expected : start) {
        assertThat(in.read(new byte[0], 0, 0)).isZero();
        assertThat(in.read()).isEqualTo(expected & 0xff);
      }
      assertThat(closed).isEmpty();
      assertThat(in.read()).isEqualTo(0x1a);
      assertThat(closed).containsExactly("first");
      assertThat(in.readNBytes(2)).containsExactly(2, 5);
    }
    assertThat(closed).containsExactly("first", "second");
    try (InputStream in = encoder.open()) {
      in.readAllBytes();
      assertThat(in.read()).isEqualTo(-1);
      assertThat(in.read(new byte[9], 0, 9)).isEqualTo(-1);
    }
  }

  private static Payload payload(byte[] content) {
    return payload(content, () -> {});
  }

  private static Payload payload(byte[] content, Runnable whenClosed) {
    return new Payload() {
      @Override
      public String format() {
        return "jfr";
      }

      @Override
      public long size() {
        return content.length;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(content) {
          @Override
          public void close() {
            whenClosed.run();
          }
        };
      }
    };
  }
}
