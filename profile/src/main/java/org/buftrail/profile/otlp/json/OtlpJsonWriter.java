package org.buftrail.profile.otlp.json;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.profile.otlp.schema.Schema;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.buftrail.profile.protobuf.ProtobufDecoder;
import org.buftrail.profile.protobuf.WireType;
import org.jspecify.annotations.Nullable;

/**
 * Writes profiles as OTLP/JSON: keys in lowerCamelCase, 64-bit integers as text, ids in hexadecimal
 * digits, bytes in base64.
 *
 * <p>The JSON is made from the protobuf that {@link OtlpWriter} makes, field by field, so the two
 * can not differ. Reusable. Belongs to one thread.
 */
public final class OtlpJsonWriter {
  // A multiple of 3, so that base64 needs padding only at the end.
  private static final int BYTES_AT_ONCE = 3 * 4096;

  private static final int BUFFER = 1 << 15;

  private final OtlpWriter writer = new OtlpWriter();
  private final boolean pretty;

  /**
   * @param pretty whether to indent; otherwise all is on one line
   */
  public OtlpJsonWriter(boolean pretty) {
    this.pretty = pretty;
  }

  /**
   * Writes the profiles of one resource.
   *
   * @throws IOException if the target cannot be written, or a payload cannot be read
   */
  public void write(Profiles profiles, OutputStream target) throws IOException {
    write(List.of(profiles), target);
  }

  /**
   * Writes the profiles of several resources or scopes. All must be over the same dictionary.
   *
   * @throws IOException if the target cannot be written, or a payload cannot be read
   */
  public void write(List<Profiles> all, OutputStream target) throws IOException {
    Writer text =
        new BufferedWriter(new OutputStreamWriter(target, StandardCharsets.UTF_8), BUFFER);
    JsonOut output = new JsonOut(text, pretty);
    try (InputStream message = writer.open(all)) {
      new Transcoder(new ProtobufDecoder(message), output).message(Schema.PROFILES_DATA);
    }
    text.append(pretty ? "\n" : "").flush();
  }

  /** Turns protobuf that is known to be of the schema into JSON. */
  private static final class Transcoder {
    private final ProtobufDecoder decoder;
    private final JsonOut output;

    Transcoder(ProtobufDecoder decoder, JsonOut output) {
      this.decoder = decoder;
      this.output = output;
    }

    void message(Schema schema) throws IOException {
      output.beginObject();
      Schema.@Nullable Field open = null;
      for (int number = decoder.readField(); number != 0; number = decoder.readField()) {
        Schema.Field field = schema.field(number);
        if (field == null) {
          throw new IllegalStateException(schema.name() + " has no field " + number);
        }
        if (field != open) {
          end(open);
          output.name(field.jsonName);
          if (field.repeated) {
            begin(field);
          }
          open = field;
        }
        values(field);
      }
      end(open);
      output.endObject();
    }

    private void begin(Schema.Field field) throws IOException {
      if (field.kind.isNumber()) {
        output.beginRow();
      } else {
        output.beginArray();
      }
    }

    private void end(Schema.@Nullable Field field) throws IOException {
      if (field != null && field.repeated) {
        output.endArray();
      }
    }

    private void values(Schema.Field field) throws IOException {
      if (field.kind.isNumber() && decoder.wireType() == WireType.LENGTH) {
        long outer = decoder.enter();
        while (decoder.left() > 0) {
          number(field);
        }
        decoder.leave(outer);
      } else if (field.kind.isNumber()) {
        number(field);
      } else {
        lengthDelimited(field);
      }
    }

    private void number(Schema.Field field) throws IOException {
      switch (field.kind) {
        case INT32:
          output.number(Integer.toString((int) decoder.readVarint()));
          break;
        case UINT32:
          output.value(Integer.toUnsignedLong((int) decoder.readVarint()));
          break;
        case INT64:
          output.value(Long.toString(decoder.readVarint()));
          break;
        case UINT64:
          output.value(Long.toUnsignedString(decoder.readVarint()));
          break;
        case FIXED64:
          output.value(Long.toUnsignedString(decoder.readFixed64()));
          break;
        case BOOL:
          output.value(decoder.readVarint() != 0);
          break;
        default:
          real(Double.longBitsToDouble(decoder.readFixed64()));
          break;
      }
    }

    private void real(double value) throws IOException {
      String text = Double.toString(value);
      if (Double.isNaN(value) || Double.isInfinite(value)) {
        output.value(text);
      } else {
        output.number(text);
      }
    }

    private void lengthDelimited(Schema.Field field) throws IOException {
      switch (field.kind) {
        case STRING:
          output.value(new String(decoder.readBytes(), StandardCharsets.UTF_8));
          break;
        case ID:
          output.value(hex(decoder.readBytes()));
          break;
        case BYTES:
          base64();
          break;
        default:
          long outer = decoder.enter();
          message(field.nested());
          decoder.leave(outer);
          break;
      }
    }

    private static String hex(byte[] bytes) {
      StringBuilder digits = new StringBuilder(2 * bytes.length);
      for (byte b : bytes) {
        digits.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
      }
      return digits.toString();
    }

    private void base64() throws IOException {
      byte[] block = new byte[BYTES_AT_ONCE];
      output.beginText();
      long outer = decoder.enter();
      int filled = 0;
      for (int read = 0; read >= 0; read = decoder.read(block, filled, block.length - filled)) {
        filled += read;
        if (filled == block.length) {
          output.part(Base64.getEncoder().encodeToString(block));
          filled = 0;
        }
      }
      decoder.leave(outer);
      output.part(Base64.getEncoder().encodeToString(Arrays.copyOf(block, filled)));
      output.endText();
    }
  }
}
