package org.buftrail.jfr.schema;

import org.jspecify.annotations.Nullable;

/**
 * A field whose value is a constant, or is such a value itself. HotSpot has constants in one place
 * and values in another, and other writers have it the other way round: the chunk's metadata says
 * which. A value that stands where it is used gets its {@linkplain Layout#place place} for a key.
 *
 * @param typeId of the value's type
 * @param typeName the name of that type
 * @param isInline whether the value stands there, and no key of a constant
 */
public record Reference(long typeId, String typeName, boolean isInline) {
  public static final String STRING = "java.lang.String";

  /** The field of a type; null if there is none of that name, or none that has one value. */
  public static @Nullable Reference of(
      Metadata metadata, @Nullable TypeDescriptor type, String fieldName) {
    FieldDescriptor field = type == null ? null : type.field(fieldName);
    String name = field == null || field.array ? null : metadata.name(field.typeId);
    return field == null || name == null
        ? null
        : new Reference(field.typeId, name, !field.constantPool);
  }

  /** Whether the value is a string, not a structure. */
  public boolean isString() {
    return typeName.equals(STRING);
  }

  /** The key of the value, from the slot that a {@link Layout} read the field to. */
  public long key(long slot) {
    return isInline && slot > 0 ? Layout.place(slot) : slot;
  }
}
