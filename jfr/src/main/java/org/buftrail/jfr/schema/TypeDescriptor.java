package org.buftrail.jfr.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One type of a chunk: an event, a constant or a primitive. Ids differ from chunk to chunk. */
public final class TypeDescriptor {
  public final long id;
  public final String name;
  public final List<FieldDescriptor> fields;

  public TypeDescriptor(long id, String name, List<FieldDescriptor> fields) {
    this.id = id;
    this.name = name;
    this.fields = fields;
  }

  public @Nullable FieldDescriptor field(String fieldName) {
    for (FieldDescriptor field : fields) {
      if (field.name.equals(fieldName)) {
        return field;
      }
    }
    return null;
  }

  /** A type of some of the fields. */
  public TypeDescriptor part(int from, int to) {
    return new TypeDescriptor(id, name, fields.subList(from, to));
  }
}
