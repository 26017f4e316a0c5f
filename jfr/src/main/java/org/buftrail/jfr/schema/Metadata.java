package org.buftrail.jfr.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.jfr.file.Cursor;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.Text;
import org.buftrail.jfr.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/**
 * The types of a chunk, by id and by name.
 *
 * <p>A metadata event describes some two hundred types, of which a conversion needs a few: parsing
 * finds where each type's description begins, and reads it when it is asked for.
 */
public final class Metadata {
  /** Elements nest as root, metadata, class, field, annotation; more is not a recording. */
  private static final int DEEPEST = 16;

  /** Unit of a field that is a share of 1. */
  public static final String PERCENTAGE = "PERCENTAGE";

  /** Unit of a field that counts events in a second. */
  public static final String FREQUENCY = "FREQUENCY";

  private final byte[] content;
  private final int length;
  private final Cursor buffer;
  private final int[] stringAt;
  private final @Nullable String[] strings;
  private final LongIntMap indexOfId = new LongIntMap();
  private final List<Declaration> byId = new ArrayList<>();
  private final Map<String, Integer> indexOfName = new HashMap<>();
  private final List<Declaration> declarations = new ArrayList<>();

  /** Where a type's description is. */
  private static final class Declaration {
    final long id;
    final String name;
    final int position;
    final int children;
    @Nullable TypeDescriptor type;

    Declaration(Element element, int position) {
      this.id = element.id;
      this.name = element.name;
      this.position = position;
      this.children = element.children;
    }
  }

  /** The attributes of one element that matter here. */
  private static final class Element {
    String kind = "";
    String name = "";
    String value = "";
    long id;
    long type;
    boolean array;
    boolean constantPool;
    int children;

    /** The fault, if there is one. */
    @Nullable DamageException broken;
  }

  private @Nullable DamageException damage;

  private Metadata(byte[] content, int length, boolean compressed) throws DamageException {
    this.content = content;
    this.length = length;
    this.buffer = new Cursor(content, length, compressed);
    int count = buffer.i4();
    if (count < 0 || count > buffer.remaining()) {
      throw damage("metadata with " + count + " strings");
    }
    stringAt = new int[count];
    strings = new String[count];
    for (int i = 0; i < count; i++) {
      stringAt[i] = buffer.position;
      Text.skip(buffer);
      bounded(0);
    }
    try {
      declare(0);
      if (buffer.remaining() < 0) {
        throw damage("metadata goes on past its event");
      }
    } catch (DamageException broken) {
      // Types described earlier can be read.
      if (declarations.isEmpty()) {
        throw broken;
      }
      damage = broken;
    }
  }

  /** What is wrong with it, so that types are missing; null if nothing is. */
  public @Nullable DamageException damage() {
    return damage;
  }

  /**
   * Parses the metadata whose string table begins at the buffer's position.
   *
   * @param eventEnd index in the buffer behind the event's last byte
   * @param previous metadata of an earlier chunk, returned again if it has the same content
   */
  public static Metadata parse(Cursor buffer, int eventEnd, @Nullable Metadata previous)
      throws DamageException {
    int length = eventEnd - buffer.position;
    if (length < 0) {
      throw new DamageException(buffer.offset(), "metadata event without content");
    }
    if (previous != null
        && previous.buffer.compressed == buffer.compressed
        && Arrays.equals(
            previous.content,
            0,
            previous.length,
            buffer.bytes,
            buffer.position,
            buffer.position + length)) {
      return previous;
    }
    byte[] copy = new byte[length + Cursor.SLACK];
    System.arraycopy(buffer.bytes, buffer.position, copy, 0, length);
    return new Metadata(copy, length, buffer.compressed);
  }

  /** The type with an id, or null. */
  public @Nullable TypeDescriptor type(long id) throws DamageException {
    int index = indexOfId.get(id);
    return index < 0 ? null : describe(byId.get(index));
  }

  /** The type with a name, or null. */
  public @Nullable TypeDescriptor type(String name) throws DamageException {
    Integer index = indexOfName.get(name);
    return index == null ? null : describe(declarations.get(index));
  }

  /** Whether no other type has the name of this one. */
  public boolean isOnly(TypeDescriptor type) {
    int count = 0;
    for (Declaration declaration : declarations) {
      count += declaration.name.equals(type.name) ? 1 : 0;
    }
    return count == 1;
  }

  /** The names of all types. */
  public Set<String> names() {
    return indexOfName.keySet();
  }

  /** The name of the type with an id, or null. */
  public @Nullable String name(long id) {
    int index = indexOfId.get(id);
    return index < 0 ? null : byId.get(index).name;
  }

  /** Finds the classes below the element at the buffer's position. */
  private void declare(int depth) throws DamageException {
    if (depth > DEEPEST) {
      throw damage("metadata nests deeper than " + DEEPEST);
    }
    Element element = element();
    if (element.broken != null) {
      damage = damage == null ? element.broken : damage;
      skipChildren(element.children, depth);
    } else if (element.kind.equals("class")) {
      Declaration declaration = new Declaration(element, buffer.position);
      int index = indexOfId.intern(element.id);
      if (index == byId.size()) {
        byId.add(declaration);
      } else {
        byId.set(index, declaration);
      }
      indexOfName.put(element.name, declarations.size());
      declarations.add(declaration);
      skipChildren(element.children, depth);
    } else {
      for (int i = 0; i < element.children; i++) {
        declare(depth + 1);
      }
    }
  }

  private void skipChildren(int children, int depth) throws DamageException {
    if (depth > DEEPEST) {
      throw damage("metadata nests deeper than " + DEEPEST);
    }
    for (int i = 0; i < children; i++) {
      buffer.i4();
      int attributes = bounded(buffer.i4());
      if (buffer.compressed) {
        buffer.skipVarints(2 * attributes);
      } else {
        buffer.position += (int) Math.min(8L * attributes, buffer.remaining() + 1L);
      }
      skipChildren(bounded(buffer.i4()), depth + 1);
    }
  }

  private TypeDescriptor describe(Declaration declaration) throws DamageException {
    TypeDescriptor known = declaration.type;
    if (known != null) {
      return known;
    }
    buffer.position = declaration.position;
    List<FieldDescriptor> fields = new ArrayList<>();
    for (int i = 0; i < declaration.children; i++) {
      Element element = wholeElement();
      if (element.kind.equals("field")) {
        fields.add(field(element));
      } else {
        skipChildren(element.children, 3);
      }
    }
    TypeDescriptor type = new TypeDescriptor(declaration.id, declaration.name, fields);
    declaration.type = type;
    return type;
  }

  private FieldDescriptor field(Element field) throws DamageException {
    String unit = null;
    boolean unsigned = false;
    boolean contextual = false;
    for (int i = 0; i < field.children; i++) {
      Element child = wholeElement();
      if (child.kind.equals("annotation")) {
        String annotation = String.valueOf(name(child.type));
        unsigned |= annotation.equals("jdk.jfr.Unsigned");
        contextual |= annotation.equals("jdk.jfr.Contextual");
        unit = unit == null ? unit(annotation, child.value) : unit;
      }
      skipChildren(child.children, 4);
    }
    return new FieldDescriptor(
        field.name, field.type, field.array, field.constantPool, unit, unsigned, contextual);
  }

  private static @Nullable String unit(String annotation, String value) {
    return switch (annotation) {
      case "jdk.jfr.Timespan", "jdk.jfr.DataAmount" -> value;
      case "jdk.jfr.Percentage" -> PERCENTAGE;
      case "jdk.jfr.Frequency" -> FREQUENCY;
      default -> null;
    };
  }

  private Element wholeElement() throws DamageException {
    Element element = element();
    if (element.broken != null) {
      throw element.broken;
    }
    return element;
  }

  /**
   * Reads an element, which may say what cannot be right: what is behind it is found all the same.
   */
  private Element element() throws DamageException {
    Element element = new Element();
    int kind = buffer.i4();
    int attributes = bounded(buffer.i4());
    int start = buffer.position;
    for (int i = 0; i < 2 * attributes; i++) {
      buffer.i4();
      bounded(0);
    }
    element.children = bounded(buffer.i4());
    int end = buffer.position;
    buffer.position = start;
    try {
      element.kind = string(kind);
      for (int i = 0; i < attributes; i++) {
        set(element, string(buffer.i4()), buffer.i4());
      }
    } catch (DamageException e) {
      element.broken = e;
    }
    buffer.position = end;
    return element;
  }

  private void set(Element element, String key, int value) throws DamageException {
    switch (key) {
      case "id" -> element.id = number(value);
      case "name" -> element.name = string(value);
      case "class" -> element.type = number(value);
      case "value" -> element.value = string(value);
      case "dimension" -> element.array = number(value) > 0;
      case "constantPool" -> element.constantPool = string(value).equals("true");
      default -> {
        // Useless to a conversion.
      }
    }
  }

  private String string(int index) throws DamageException {
    if (index < 0 || index >= strings.length) {
      throw damage("metadata names string " + index + " of " + strings.length);
    }
    String known = strings[index];
    if (known == null) {
      int position = buffer.position;
      buffer.position = stringAt[index];
      known = Text.read(buffer);
      strings[index] = known;
      buffer.position = position;
    }
    return known;
  }

  private long number(int index) throws DamageException {
    String text = string(index);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw damage("metadata has \"" + text + "\" where a number belongs");
    }
  }

  /** A count of things that take at least a byte each. */
  private int bounded(int count) throws DamageException {
    if (count < 0 || count > buffer.remaining()) {
      throw damage("metadata element with " + count + " parts");
    }
    return count;
  }

  private static DamageException damage(String cause) {
    return new DamageException(0, cause);
  }
}
