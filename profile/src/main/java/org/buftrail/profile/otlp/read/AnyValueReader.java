package org.buftrail.profile.otlp.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.otlp.schema.Schema;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.jspecify.annotations.Nullable;

/**
 * Reads attribute values as Java objects: the types of {@link org.buftrail.profile.Attributes}, or
 * a {@link RawDictionary.StringReference}, or null for the empty value.
 */
final class AnyValueReader {
  private static final int DEEPEST = 32;

  private final FieldReader fields;

  AnyValueReader(FieldReader fields) {
    this.fields = fields;
  }

  /**
   * Reads what has been entered, at a depth of nesting.
   *
   * @param before what stood in the same field before: parts of a message are one message, and
   *     lists go on
   */
  @Nullable Object read(int depth, @Nullable Object before) throws IOException {
    if (depth > DEEPEST) {
      throw new MalformedMessageException(
          "an attribute value is nested more than " + DEEPEST + " deep");
    }
    Object value = before;
    int field;
    while ((field = fields.next(Schema.ANY_VALUE)) != 0) {
      value = readField(field, depth, value);
    }
    return value;
  }

  private Object readField(int field, int depth, @Nullable Object before) throws IOException {
    switch (field) {
      case OtlpFields.AnyValue.STRING_VALUE:
        return fields.string("string_value");
      case OtlpFields.AnyValue.BOOL_VALUE:
        return fields.int64() != 0;
      case OtlpFields.AnyValue.INT_VALUE:
        return fields.int64();
      case OtlpFields.AnyValue.DOUBLE_VALUE:
        return Double.longBitsToDouble(fields.fixed64());
      case OtlpFields.AnyValue.BYTES_VALUE:
        return fields.bytes();
      case OtlpFields.AnyValue.STRING_VALUE_STRINDEX:
        return new RawDictionary.StringReference(fields.int32());
      case OtlpFields.AnyValue.ARRAY_VALUE:
        return readList(depth, before);
      default:
        return readMap(depth, before);
    }
  }

  @SuppressWarnings("unchecked") // Lists and maps are those that were made here.
  private List<Object> readList(int depth, @Nullable Object before) throws IOException {
    List<Object> values = before instanceof List ? (List<Object>) before : new ArrayList<>();
    long outer = fields.enter();
    while (fields.next(Schema.ARRAY_VALUE) != 0) {
      long inner = fields.enter();
      Object value = read(depth + 1, null);
      fields.leave(inner);
      values.add(value == null ? "" : value);
    }
    fields.leave(outer);
    return values;
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> readMap(int depth, @Nullable Object before) throws IOException {
    Map<String, Object> values =
        before instanceof Map ? (Map<String, Object>) before : new LinkedHashMap<>();
    long outer = fields.enter();
    while (fields.next(Schema.KEY_VALUE_LIST) != 0) {
      long inner = fields.enter();
      RawProfiles.KeyValue entry = readKeyValue(depth + 1);
      fields.leave(inner);
      Object value = entry.value == null ? "" : entry.value;
      if (values.put(entry.key, value) != null) {
        fields.note("kvlist_value has the key " + entry.key + " twice");
      }
    }
    fields.leave(outer);
    return values;
  }

  /** Reads a {@code KeyValue} that has been entered. */
  RawProfiles.KeyValue readKeyValue(int depth) throws IOException {
    String key = "";
    int keyIndex = 0;
    Object value = null;
    int field;
    while ((field = fields.next(Schema.KEY_VALUE)) != 0) {
      switch (field) {
        case OtlpFields.KeyValue.KEY:
          key = fields.string("key");
          break;
        case OtlpFields.KeyValue.KEY_STRINDEX:
          keyIndex = fields.int32();
          break;
        default:
          long outer = fields.enter();
          value = read(depth, value);
          fields.leave(outer);
          break;
      }
    }
    return new RawProfiles.KeyValue(key, keyIndex, value);
  }
}
