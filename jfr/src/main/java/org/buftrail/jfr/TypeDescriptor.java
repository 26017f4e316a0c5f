package org.buftrail.jfr;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One type of a chunk: an event, a constant or a primitive. Ids differ from chunk to chunk. */
final class TypeDescriptor {
  final long id;
  final String name;
  final List<FieldDescriptor> fields;

  TypeDescriptor(long id, String name, List<FieldDescriptor> fields) {
    this.id = id;
    this.name = name;
    this.fields = fields;
  }

  /** The field of that name. */
  @Nullable FieldDescriptor field(String fieldName) {
    for (FieldDescriptor field : fields) {
      if (field.name.equals(fieldName)) {
        return field;
      }
    }
    return null;
  }

  /** A type of some of the fields. */
  TypeDescriptor part(int from, int to) {
    return new TypeDescriptor(id, name, fields.subList(from, to));
  }
}
