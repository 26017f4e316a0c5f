package org.buftrail.profile.otlp.read;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.buftrail.profile.dictionary.Utf8;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.otlp.schema.Schema;
import org.buftrail.profile.protobuf.ProtobufDecoder;
import org.buftrail.profile.protobuf.WireType;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of messages by their {@link Schema}. What a message should not have is noted
 * with its place and passed over, as every protobuf reader passes over what it does not know.
 */
final class FieldReader {
  private final ProtobufDecoder decoder;
  private final Violations violations;
  private String base = "";
  private int index = -1;

  FieldReader(ProtobufDecoder decoder, Violations violations) {
    this.decoder = decoder;
    this.violations = violations;
  }

  /** Says which message is being read. */
  void at(String place) {
    this.base = place;
    this.index = -1;
  }

  /** Says which entry of a table is being read. */
  void at(String table, int entry) {
    this.base = table;
    this.index = entry;
  }

  void note(String message) {
    if (index < 0) {
      violations.add(base, message);
    } else {
      violations.add(base, index, "", message);
    }
  }

  /** The next field of a message that is as the schema says, or 0 at the end. */
  int next(Schema schema) throws IOException {
    for (int number = decoder.readField(); number != 0; number = decoder.readField()) {
      Schema.Field field = schema.field(number);
      if (field == null) {
        String message =
            schema.name() + " has no field " + number + "; written by another version?";
        if (index == 0 && base.startsWith("dictionary.")) {
          // With a field that is not known, entry 0 is not the zero value.
          note(message);
        } else {
          violations.advise(index < 0 ? base : base + "[" + index + "]", message);
        }
      } else if (!field.allows(decoder.wireType())) {
        note(
            schema.name()
                + "."
                + field.name
                + " has wire type "
                + decoder.wireType()
                + " instead of "
                + field.kind.wireType
                + "; written by another version?");
      } else {
        return number;
      }
      decoder.skipField();
    }
    return 0;
  }

  long enter() throws IOException {
    return decoder.enter();
  }

  void leave(long outer) throws IOException {
    decoder.leave(outer);
  }

  /** A field of type int32; the low half counts, as everywhere. */
  int int32() throws IOException {
    return (int) decoder.readVarint();
  }

  long int64() throws IOException {
    return decoder.readVarint();
  }

  long fixed64() throws IOException {
    return decoder.readFixed64();
  }

  byte[] bytes() throws IOException {
    return decoder.readBytes();
  }

  /** Passes over a field of bytes and says how long it is. */
  long skipBytes() throws IOException {
    long outer = decoder.enter();
    long length = decoder.left();
    decoder.leave(outer);
    return length;
  }

  /** A field of type string. */
  String string(String name) throws IOException {
    byte[] bytes = decoder.readBytes();
    if (!Utf8.isValid(bytes, 0, bytes.length)) {
      note(name + " is not valid UTF-8");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** A repeated field of type int32, packed or single. */
  void int32s(IntList target) throws IOException {
    if (decoder.wireType() != WireType.LENGTH) {
      target.add(int32());
      return;
    }
    long outer = decoder.enter();
    while (decoder.left() > 0) {
      target.add(int32());
    }
    decoder.leave(outer);
  }

  /** A repeated field of type int64 or fixed64, packed or single. */
  void int64s(LongList target, boolean fixed) throws IOException {
    if (decoder.wireType() != WireType.LENGTH) {
      target.add(fixed ? fixed64() : int64());
      return;
    }
    long outer = decoder.enter();
    while (decoder.left() > 0) {
      target.add(fixed ? fixed64() : int64());
    }
    decoder.leave(outer);
  }

  /** The value of an {@code AnyValue} that has been entered, the next part of what was before. */
  @Nullable Object anyValue(@Nullable Object before) throws IOException {
    return new AnyValueReader(this).read(0, before);
  }
}
