package org.buftrail.profile.otlp.write;

import java.util.List;
import java.util.Map;
import org.buftrail.profile.Attributes;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.protobuf.ProtobufEncoder;

/** Encodes attributes of a resource or a scope. {@code KeyValue}, {@code AnyValue}. */
final class AnyValueEncoder {
  private final ProtobufEncoder encoder;

  AnyValueEncoder(ProtobufEncoder encoder) {
    this.encoder = encoder;
  }

  void encode(Attributes attributes, int field) {
    for (Map.Entry<String, Object> attribute : attributes.asMap().entrySet()) {
      encodeKeyValue(field, attribute.getKey(), attribute.getValue());
    }
  }

  private void encodeKeyValue(int field, String key, Object value) {
    int mark = encoder.open(field, Long.MAX_VALUE);
    encoder.writeString(OtlpFields.KeyValue.KEY, key);
    encodeValue(OtlpFields.KeyValue.VALUE, value);
    encoder.close(mark);
  }

  private void encodeValue(int field, Object value) {
    int mark = encoder.open(field, Long.MAX_VALUE);
    if (value instanceof String) {
      encoder.writeString(OtlpFields.AnyValue.STRING_VALUE, (String) value);
    } else if (value instanceof Boolean) {
      encoder.writeVarint(OtlpFields.AnyValue.BOOL_VALUE, (Boolean) value ? 1 : 0);
    } else if (value instanceof Long) {
      encoder.writeVarint(OtlpFields.AnyValue.INT_VALUE, (Long) value);
    } else if (value instanceof Double) {
      encoder.writeDouble(OtlpFields.AnyValue.DOUBLE_VALUE, (Double) value);
    } else if (value instanceof byte[]) {
      byte[] bytes = (byte[]) value;
      encoder.writeBytes(OtlpFields.AnyValue.BYTES_VALUE, bytes, 0, bytes.length);
    } else if (value instanceof List) {
      int list = encoder.open(OtlpFields.AnyValue.ARRAY_VALUE, Long.MAX_VALUE);
      for (Object element : (List<?>) value) {
        encodeValue(OtlpFields.ArrayValue.VALUES, element);
      }
      encoder.close(list);
    } else if (value instanceof Map) {
      int map = encoder.open(OtlpFields.AnyValue.KVLIST_VALUE, Long.MAX_VALUE);
      for (Map.Entry<?, ?> element : ((Map<?, ?>) value).entrySet()) {
        encodeKeyValue(
            OtlpFields.KeyValueList.VALUES, (String) element.getKey(), element.getValue());
      }
      encoder.close(map);
    }
    encoder.close(mark);
  }
}
