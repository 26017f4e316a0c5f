package org.buftrail.jfr;

/** One field of an event type that tells its samples apart, and what its bits mean. */
final class Column {
  /** What a column's value refers to. */
  enum Type {
    /** Not in the recording. */
    ABSENT,
    STACK,
    THREAD,
    CLASS,
    METHOD,
    OLD_OBJECT,
    /** A constant that is a text. */
    TEXT,
    /** A string as {@link ChunkTexts} numbers it. */
    STRING,
    NUMBER,
    BOOLEAN
  }

  final String field;

  /** Key of the sample attribute. */
  final String key;

  final Type type;

  /** Name of the constants' type, for {@link Type#TEXT}. */
  final String pool;

  Column(String field, String key, Type type, String pool) {
    this.field = field;
    this.key = key;
    this.type = type;
    this.pool = pool;
  }

  /** The column for a field as the chunk describes it. */
  static Column of(String name, String key, TypeDescriptor event, Metadata metadata)
      throws DamageException {
    FieldDescriptor field = event.field(name);
    String type = field == null ? null : metadata.name(field.typeId);
    if (field == null || type == null || field.array) {
      return new Column(name, key, Type.ABSENT, "");
    }
    return new Column(name, key, type(field, type), type);
  }

  /** The column for the tag of the span that an event lies in, which no field holds. */
  static Column spanTag() {
    return new Column("", AttributeKeys.SPAN_TAG, Type.STRING, "");
  }

  private static Type type(FieldDescriptor field, String type) {
    if (field.constantPool) {
      return switch (type) {
        case "jdk.types.StackTrace" -> Type.STACK;
        case "java.lang.Thread" -> Type.THREAD;
        case "java.lang.Class" -> Type.CLASS;
        case "jdk.types.Method" -> Type.METHOD;
        case "jdk.types.OldObject" -> Type.OLD_OBJECT;
        default -> Type.TEXT;
      };
    }
    return switch (type) {
      case "java.lang.String" -> Type.STRING;
      case "boolean" -> Type.BOOLEAN;
      case "byte", "short", "char", "int", "long" -> Type.NUMBER;
      default -> Type.ABSENT;
    };
  }
}
