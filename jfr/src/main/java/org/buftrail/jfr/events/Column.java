package org.buftrail.jfr.events;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.jfr.constants.ChunkTexts;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.schema.FieldDescriptor;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.Reference;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.jspecify.annotations.Nullable;

/** One field of an event type that tells its samples apart, and what its bits mean. */
public final class Column {
  /** What a column's value refers to. */
  public enum Type {
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
    /** A number with fractions, as the bits of a {@code double}. */
    REAL,
    /** A time span in ticks. */
    TICKS,
    /** A number that is 0 where it is not set. */
    OPTIONAL_NUMBER,
    /** A number that is written as 16 hexadecimal digits, and is 0 where it is not set. */
    ID,
    BOOLEAN
  }

  private static final String SPAN = "spanId";

  /** Structures in structures have their fields in columns up to here. */
  private static final int DEEPEST = 3;

  private static final String ROOT = "localRootSpanId";

  public final String field;

  /** Key of the sample attribute. */
  public final String key;

  public final Type type;

  /** Name of the constants' type, for {@link Type#TEXT}. */
  public final String pool;

  /** What the events hold themselves where others name a constant; null for all else. */
  public final @Nullable Reference inline;

  public Column(String field, String key, Type type, String pool) {
    this(field, key, type, pool, null);
  }

  private Column(String field, String key, Type type, String pool, @Nullable Reference inline) {
    this.field = field;
    this.key = key;
    this.type = type;
    this.pool = pool;
    this.inline = inline;
  }

  /** Whether its values are texts, or refer to what has a name. */
  public boolean isText() {
    return switch (type) {
      case NUMBER, REAL, TICKS, OPTIONAL_NUMBER, ID, BOOLEAN -> false;
      default -> true;
    };
  }

  /**
   * The column for a field as the chunk describes it.
   *
   * @param name after those of the structures that it is in, with dots
   */
  public static Column of(String name, String key, TypeDescriptor event, Metadata metadata)
      throws DamageException {
    int dot = name.lastIndexOf('.');
    TypeDescriptor owner = dot < 0 ? event : structure(name.substring(0, dot), event, metadata);
    String last = name.substring(dot + 1);
    FieldDescriptor field = owner == null ? null : owner.field(last);
    String type = field == null ? null : metadata.name(field.typeId);
    if (field == null || type == null || field.array) {
      return new Column(name, key, Type.ABSENT, "");
    }
    Reference reference = field.constantPool ? null : Reference.of(metadata, owner, last);
    boolean isPrimitive = Layout.isNumber(type) || type.equals(Reference.STRING);
    return new Column(name, key, type(field, type), type, isPrimitive ? null : reference);
  }

  private static @Nullable TypeDescriptor structure(
      String path, TypeDescriptor event, Metadata metadata) throws DamageException {
    TypeDescriptor type = event;
    for (String name : path.split("\\.", -1)) {
      FieldDescriptor field = type == null ? null : type.field(name);
      type = field == null ? null : metadata.type(field.typeId);
    }
    return type;
  }

  /** The names of all fields of an event that have one value, with those of its structures. */
  public static List<String> paths(TypeDescriptor event, Metadata metadata) throws DamageException {
    List<String> paths = new ArrayList<>();
    addPaths("", event, metadata, paths);
    return paths;
  }

  private static void addPaths(
      String prefix, TypeDescriptor type, Metadata metadata, List<String> paths)
      throws DamageException {
    for (FieldDescriptor field : type.fields) {
      TypeDescriptor structure = metadata.type(field.typeId);
      String path = prefix + field.name;
      if (structure != null && isStructure(field, structure) && depth(path) < DEEPEST) {
        addPaths(path + ".", structure, metadata, paths);
      } else if (!field.array) {
        paths.add(path);
      }
    }
  }

  /** Whether a field holds values of several fields. One alone is the text of a constant. */
  private static boolean isStructure(FieldDescriptor field, TypeDescriptor type)
      throws DamageException {
    return !field.array
        && !field.constantPool
        && type.fields.size() > 1
        && type(field, type.name) == Type.TEXT;
  }

  private static int depth(String path) {
    return (int) path.chars().filter(c -> c == '.').count();
  }

  /**
   * The columns for what an event says of the span that its thread worked for: the names that
   * Datadog and Grafana give them. The ids are here if the event's link does not hold them.
   */
  public static List<Column> spanAttributes(TypeDescriptor event, Metadata metadata)
      throws DamageException {
    List<Column> columns = new ArrayList<>();
    List<Column> link = spanLink(event, metadata);
    if (link.isEmpty()) {
      boolean isDatadog = event.field(ROOT) != null;
      String key = isDatadog ? AttributeKeys.DATADOG_SPAN : AttributeKeys.PROFILE_ID;
      addSpan(columns, SPAN, key, Type.ID, event, metadata);
    }
    if (link.isEmpty() || !link.get(2).field.equals(ROOT)) {
      String root = AttributeKeys.DATADOG_LOCAL_ROOT_SPAN;
      addSpan(columns, ROOT, root, Type.ID, event, metadata);
    }
    String context = AttributeKeys.CONTEXT_ID;
    addSpan(columns, "contextId", context, Type.OPTIONAL_NUMBER, event, metadata);
    Column name = of("spanName", AttributeKeys.SPAN_NAME, event, metadata);
    if (name.type == Type.TEXT || name.type == Type.STRING) {
      columns.add(name);
    }
    return columns;
  }

  private static void addSpan(
      List<Column> columns,
      String field,
      String key,
      Type type,
      TypeDescriptor event,
      Metadata metadata)
      throws DamageException {
    if (of(field, key, event, metadata).type == Type.NUMBER) {
      columns.add(new Column(field, key, type, ""));
    }
  }

  /**
   * The columns for a span's id and the two halves of its trace's; none if a field is missing.
   * Datadog does not record the trace: as its own converter does, the id of the local root span
   * stands for it.
   */
  public static List<Column> spanLink(TypeDescriptor event, Metadata metadata)
      throws DamageException {
    List<Column> columns = new ArrayList<>();
    for (String field : List.of(SPAN, "traceIdHi", "traceIdLo")) {
      addSpan(columns, field, "", Type.ID, event, metadata);
    }
    if (columns.size() == 3) {
      return columns;
    }
    columns.clear();
    addSpan(columns, SPAN, "", Type.ID, event, metadata);
    columns.add(absent());
    addSpan(columns, ROOT, "", Type.ID, event, metadata);
    return columns.size() == 3 ? columns : List.of();
  }

  /** A column that no event has. */
  static Column absent() {
    return new Column("", "", Type.ABSENT, "");
  }

  /** The column for the tag of the span that an event lies in, which no field holds. */
  public static Column spanTag() {
    return new Column("", AttributeKeys.SPAN_TAG, Type.STRING, "");
  }

  private static Type type(FieldDescriptor field, String type) {
    if (!field.constantPool) {
      switch (type) {
        case "java.lang.String":
          return Type.STRING;
        case "boolean":
          return Type.BOOLEAN;
        case "byte", "short", "char", "int", "long":
          return "TICKS".equals(field.unit) ? Type.TICKS : Type.NUMBER;
        case "float", "double":
          return Type.REAL;
        default:
          break;
      }
    }
    return switch (type) {
      case "jdk.types.StackTrace" -> Type.STACK;
      case "java.lang.Thread" -> Type.THREAD;
      case "java.lang.Class" -> Type.CLASS;
      case "jdk.types.Method" -> Type.METHOD;
      case "jdk.types.OldObject" -> Type.OLD_OBJECT;
      default -> Type.TEXT;
    };
  }
}
