package org.buftrail.jfr.constants;

import static org.buftrail.jfr.constants.Constants.CLASS;
import static org.buftrail.jfr.constants.Constants.METHOD;
import static org.buftrail.jfr.constants.Constants.STRING;

import java.util.List;
import java.util.Set;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.schema.FieldDescriptor;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.Reference;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.buftrail.jfr.stacks.StackDecoder;
import org.jspecify.annotations.Nullable;

/** What to do with the constants of one type, as the chunk's metadata describes it. */
final class PoolReader {
  /** Types whose constants are no texts, whatever they hold. */
  private static final Set<String> RECORDS =
      Set.of(
          CLASS,
          METHOD,
          "java.lang.Thread",
          "jdk.types.OldObject",
          "jdk.types.StackFrame",
          "jdk.types.StackTrace");

  /** The name of the field that has a structure's text. */
  private static final List<String> TEXT_FIELDS = List.of("string", "name", "description");

  /** Structures in structures that hold a text. */
  private static final int DEEPEST = 8;

  final Layout layout;
  final Role role;
  final @Nullable StringPool texts;

  /** The content of the slots; null if they hold only keys and numbers. */
  final @Nullable Reference @Nullable [] references;

  enum Role {
    SKIPPED,
    TEXT,
    TEXT_IN_STRUCTURE,
    TEXT_BY_REFERENCE,
    CLASS,
    METHOD,
    OLD_OBJECT,
    FRAME,
    STACK,
    THREAD
  }

  private PoolReader(
      Layout layout,
      Role role,
      @Nullable StringPool texts,
      @Nullable Reference @Nullable [] references) {
    this.layout = layout;
    this.role = role;
    this.texts = texts;
    this.references = references;
  }

  /**
   * Compiles the reader of a type.
   *
   * @param pool where its texts go; null if they are not wanted
   */
  static PoolReader compile(
      Metadata types, TypeDescriptor type, boolean compressed, @Nullable StringPool pool)
      throws DamageException {
    return switch (type.name) {
      case "jdk.types.StackTrace" -> plain(types, type, compressed, Role.STACK);
      case "java.lang.Thread" -> plain(types, type, compressed, Role.THREAD);
      case CLASS -> record(types, type, compressed, Role.CLASS, "name");
      case METHOD -> record(types, type, compressed, Role.METHOD, "type", "name", "descriptor");
      case "jdk.types.OldObject" -> record(types, type, compressed, Role.OLD_OBJECT, "type");
      case "jdk.types.StackFrame" ->
          record(
              types,
              type,
              compressed,
              Role.FRAME,
              StackDecoder.FRAME_FIELDS.toArray(new String[0]));
      default -> text(types, type, compressed, pool);
    };
  }

  private static PoolReader plain(
      Metadata types, TypeDescriptor type, boolean compressed, Role role) throws DamageException {
    return new PoolReader(layout(types, type, compressed), role, null, null);
  }

  private static PoolReader record(
      Metadata types, TypeDescriptor type, boolean compressed, Role role, String... fields)
      throws DamageException {
    @Nullable Reference[] references = new @Nullable Reference[fields.length];
    boolean anyInline = false;
    for (int i = 0; i < fields.length; i++) {
      Reference reference = Reference.of(types, type, fields[i]);
      if (reference != null && !Layout.isNumber(reference.typeName())) {
        references[i] = reference;
        anyInline |= reference.isInline();
      }
    }
    Layout layout = layout(types, type, compressed, fields);
    return new PoolReader(layout, role, null, anyInline ? references : null);
  }

  private static PoolReader text(
      Metadata types, TypeDescriptor type, boolean compressed, @Nullable StringPool pool)
      throws DamageException {
    if (type.name.equals(STRING)) {
      // Described without fields, as a primitive is.
      return new PoolReader(layout(types, type, compressed), Role.TEXT, pool, null);
    }
    FieldDescriptor field = pool == null ? null : textField(types, type, 0);
    Reference text = field == null ? null : Reference.of(types, type, field.name);
    if (field == null || text == null) {
      return plain(types, type, compressed, Role.SKIPPED);
    }
    Layout layout = layout(types, type, compressed, field.name);
    if (text.isString() && text.isInline()) {
      Role role = type.fields.size() == 1 ? Role.TEXT : Role.TEXT_IN_STRUCTURE;
      return new PoolReader(layout, role, pool, null);
    }
    return new PoolReader(layout, Role.TEXT_BY_REFERENCE, pool, new Reference[] {text});
  }

  /** The field with the text of a type; null if it has none. */
  static @Nullable Reference textOf(Metadata types, TypeDescriptor type) throws DamageException {
    FieldDescriptor field = textField(types, type, 0);
    return field == null ? null : Reference.of(types, type, field.name);
  }

  /** The field of a structure that is its text: one that is called so, else the first string. */
  private static @Nullable FieldDescriptor textField(Metadata types, TypeDescriptor type, int depth)
      throws DamageException {
    for (String name : TEXT_FIELDS) {
      FieldDescriptor field = type.field(name);
      if (field != null && isText(types, field, depth)) {
        return field;
      }
    }
    for (FieldDescriptor field : type.fields) {
      if (!field.array && STRING.equals(types.name(field.typeId))) {
        return field;
      }
    }
    for (FieldDescriptor field : type.fields) {
      if (isText(types, field, depth)) {
        return field;
      }
    }
    return null;
  }

  private static boolean isText(Metadata types, FieldDescriptor field, int depth)
      throws DamageException {
    TypeDescriptor type = field.array || depth > DEEPEST ? null : types.type(field.typeId);
    return type != null
        && (type.name.equals(STRING)
            || (!RECORDS.contains(type.name) && textField(types, type, depth + 1) != null));
  }

  private static Layout layout(
      Metadata types, TypeDescriptor type, boolean compressed, String... wanted)
      throws DamageException {
    return Layout.compile(types, type, compressed, Layout.slotsOf(wanted));
  }
}
