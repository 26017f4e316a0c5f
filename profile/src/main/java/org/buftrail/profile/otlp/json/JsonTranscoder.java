package org.buftrail.profile.otlp.json;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.buftrail.profile.json.JsonException;
import org.buftrail.profile.json.JsonIn;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.otlp.schema.Schema;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.buftrail.profile.protobuf.ProtobufEncoder;

/**
 * Turns OTLP/JSON into protobuf, so that one reader serves both. Notes keys that the schema does
 * not know. Integers may be numbers or text, as everywhere in JSON of protobuf.
 */
public final class JsonTranscoder {
  private static final int DEEPEST = 100;
  private static final int DEEPEST_VALUES = 1 << 8;
  private static final int LONGEST_STRING = Integer.MAX_VALUE - 8;
  private static final double EXACT = 1L << 53;

  private final JsonIn input;
  private final Violations violations;
  private final StringBuilder place = new StringBuilder();
  // One for each depth of nesting, made when it is first reached.
  private final List<ProtobufEncoder> encoders = new ArrayList<>();

  private JsonTranscoder(InputStream source, Violations violations) {
    Reader text = new InputStreamReader(source, StandardCharsets.UTF_8.newDecoder());
    this.input = new JsonIn(text, Long.MAX_VALUE, LONGEST_STRING, DEEPEST_VALUES);
    this.violations = violations;
  }

  /**
   * Reads a document to its end.
   *
   * @throws MalformedMessageException if it is not JSON, or a value is not of its field's type
   */
  public static InputStream toProtobuf(InputStream source, Violations violations)
      throws IOException {
    JsonTranscoder transcoder = new JsonTranscoder(source, violations);
    try {
      ProtobufEncoder message = transcoder.message(Schema.PROFILES_DATA, 0);
      transcoder.input.end();
      return message.open();
    } catch (JsonException e) {
      throw new MalformedMessageException("JSON " + e.getMessage());
    }
  }

  private ProtobufEncoder message(Schema schema, int depth) throws IOException {
    if (depth > DEEPEST) {
      throw input.fault("messages are nested more than " + DEEPEST + " deep");
    }
    if (encoders.size() == depth) {
      encoders.add(new ProtobufEncoder());
    }
    ProtobufEncoder encoder = encoders.get(depth);
    encoder.clear();
    long seen = 0;
    input.beginObject();
    for (String key = input.nextName(); key != null; key = input.nextName()) {
      Schema.Field field = schema.field(key);
      if (field == null) {
        violations.advise(
            place.toString(), schema.name() + " has no key " + Violations.quoted(key));
        input.skip();
        continue;
      }
      if ((seen & 1L << field.number) != 0) {
        violations.add(place.toString(), "has the key " + Violations.quoted(key) + " twice");
      }
      seen |= 1L << field.number;
      int length = place.length();
      place.append(length == 0 ? "" : ".").append(key);
      fieldValue(field, encoder, depth);
      place.setLength(length);
    }
    return encoder;
  }

  private void fieldValue(Schema.Field field, ProtobufEncoder encoder, int depth)
      throws IOException {
    if (input.takeNull()) {
      return;
    }
    if (!field.repeated) {
      value(field, encoder, depth);
      return;
    }
    int length = place.length();
    int index = 0;
    input.beginArray();
    while (input.nextElement()) {
      place.append('[').append(index++).append(']');
      value(field, encoder, depth);
      place.setLength(length);
    }
  }

  private void value(Schema.Field field, ProtobufEncoder encoder, int depth) throws IOException {
    switch (field.kind) {
      case MESSAGE:
        ProtobufEncoder nested = message(field.nested(), depth + 1);
        encoder.writeMessage(field.number, nested);
        break;
      case STRING:
        byte[] text = input.string().getBytes(StandardCharsets.UTF_8);
        encoder.writeBytes(field.number, text, 0, text.length);
        break;
      case BYTES:
        byte[] bytes = base64(input.string());
        encoder.writeBytes(field.number, bytes, 0, bytes.length);
        break;
      case ID:
        byte[] id = hex(input.string());
        encoder.writeBytes(field.number, id, 0, id.length);
        break;
      case BOOL:
        encoder.writeVarint(field.number, input.bool() ? 1 : 0);
        break;
      case DOUBLE:
        encoder.writeDouble(field.number, real(input.numberOrString()));
        break;
      case FIXED64:
        encoder.writeFixed64(field.number, integer(field, input.numberOrString()));
        break;
      default:
        encoder.writeVarint(field.number, integer(field, input.numberOrString()));
        break;
    }
  }

  private JsonException wrong(String message) {
    return input.fault(place + " " + message);
  }

  private double real(String text) throws IOException {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException notReal) {
      throw wrong("is " + Violations.quoted(text) + " instead of a number");
    }
  }

  private long integer(Schema.Field field, String text) throws IOException {
    try {
      switch (field.kind) {
        case INT32:
          return Integer.parseInt(text);
        case UINT32:
          return Integer.parseUnsignedInt(text);
        case INT64:
          return Long.parseLong(text);
        default:
          return Long.parseUnsignedLong(text);
      }
    } catch (NumberFormatException notPlain) {
      return exponential(field, text);
    }
  }

  /** An integer in another writing, such as 1e3 or 5.0. */
  private long exponential(Schema.Field field, String text) throws IOException {
    double value = real(text);
    boolean narrow = field.kind == Schema.Kind.INT32;
    boolean unsigned = field.kind != Schema.Kind.INT32 && field.kind != Schema.Kind.INT64;
    double most =
        narrow ? Integer.MAX_VALUE : field.kind == Schema.Kind.UINT32 ? 0xFFFFFFFFL : EXACT;
    double least = unsigned ? 0 : narrow ? Integer.MIN_VALUE : -EXACT;
    if (value != Math.rint(value) || value < least || value > most) {
      throw wrong("is " + Violations.quoted(text) + ", which is no " + field.kind);
    }
    return (long) value;
  }

  private byte[] base64(String text) throws IOException {
    try {
      return Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException notBase64) {
      throw wrong("is not base64");
    }
  }

  private byte[] hex(String text) throws IOException {
    byte[] bytes = new byte[text.length() / 2];
    boolean valid = text.length() % 2 == 0;
    for (int i = 0; valid && i < bytes.length; i++) {
      int high = Character.digit(text.charAt(2 * i), 16);
      int low = Character.digit(text.charAt(2 * i + 1), 16);
      valid = high >= 0 && low >= 0;
      bytes[i] = (byte) (high * 16 + low);
    }
    if (!valid) {
      throw wrong("is " + Violations.quoted(text) + " instead of hexadecimal digits");
    }
    return bytes;
  }
}
