package org.buftrail.jfr;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Writes a recording of one chunk whose types are drawn by lot: in which order fields are, what is
 * a constant and what stands where it is used, which other fields there are, how strings are
 * written, which constants are in which checkpoint.
 */
final class SchemaFile {
  static final long START = 1_700_000_000_000_000_000L;

  private static final List<String> NUMBERS =
      List.of("boolean", "byte", "short", "char", "int", "long", "float", "double");
  private static final String CONTEXTUAL = "jdk.jfr.Contextual";
  private static final String STRING = "java.lang.String";

  /** A field of a type. */
  record Field(String name, String type, boolean array, boolean constant) {}

  private final Random random;
  private final boolean compressed;
  private final Set<String> contextual = new HashSet<>();
  private final Map<String, List<Field>> types = new LinkedHashMap<>();
  private final Map<String, Map<Object, Long>> pools = new LinkedHashMap<>();
  private final ByteArrayOutputStream events = new ByteArrayOutputStream();

  SchemaFile(long seed) {
    random = new Random(seed);
    compressed = random.nextInt(4) > 0;
    NUMBERS.forEach(number -> types.put(number, List.of()));
    types.put(STRING, List.of());
    types.put("some.Noise", List.of(field("weight", "float"), field("text", STRING)));
  }

  private static Field field(String name, String type) {
    return new Field(name, type, false, false);
  }

  /**
   * Declares a type.
   *
   * @param fields as {@code name type}; {@code []} behind the type for arrays. Those of types that
   *     are no numbers are constants or not, by lot, or constants where {@code *} is before the
   *     type
   */
  SchemaFile type(String typeName, String... fields) {
    List<Field> drawn = new ArrayList<>();
    for (String declared : fields) {
      int space = declared.indexOf(' ');
      String name = declared.substring(0, space);
      boolean isConstant = declared.startsWith("*", space + 1);
      String type = declared.substring(space + 1).replace("[]", "").replace("*", "");
      boolean isNumber = NUMBERS.contains(type);
      drawn.add(
          new Field(
              name,
              type,
              declared.endsWith("[]"),
              !isNumber && (isConstant || random.nextBoolean())));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      boolean array = random.nextInt(4) == 0;
      List<String> others = List.of("float", "double", "long", "int", STRING, "some.Noise");
      String type = others.get(random.nextInt(others.size()));
      drawn.add(
          new Field("noise" + i, type, array, !NUMBERS.contains(type) && random.nextBoolean()));
    }
    Collections.shuffle(drawn, random);
    types.put(typeName, drawn);
    return this;
  }

  /** Marks a field of all types as one that says something of other events. */
  SchemaFile contextual(String fieldName) {
    types.putIfAbsent(CONTEXTUAL, List.of());
    contextual.add(fieldName);
    return this;
  }

  /** Writes an event. Structures are maps, arrays lists; what is not given is drawn by lot. */
  void event(String type, Map<String, Object> values) throws IOException {
    write(events, id(type), structure(type, values));
  }

  private long id(String type) {
    return 20L + new ArrayList<>(types.keySet()).indexOf(type);
  }

  private byte[] structure(String type, Map<?, ?> values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Field field : types.getOrDefault(type, List.of())) {
      Object value = values.get(field.name);
      value = value == null ? noise(field) : value;
      if (field.array) {
        integer(bytes, 4, ((List<?>) value).size());
        ((List<?>) value).forEach(element -> bytes.writeBytes(value(field, element)));
      } else {
        bytes.writeBytes(value(field, value));
      }
    }
    return bytes.toByteArray();
  }

  private Object noise(Field field) {
    if (field.array) {
      Field element = new Field(field.name, field.type, false, field.constant);
      return random.nextBoolean() ? List.of() : List.of(noise(element), noise(element));
    }
    return switch (field.type) {
      case STRING -> "noise" + random.nextInt(5);
      case "some.Noise" -> Map.of("weight", 1.5, "text", "loud" + random.nextInt(3));
      default -> random.nextInt(1 << 20);
    };
  }

  /** A text may be given as the structure that holds it. */
  private byte[] value(Field field, Object given) {
    Object text = given instanceof Map<?, ?> fields ? fields.get("string") : null;
    Object value = field.type.equals(STRING) && text != null ? text : given;
    if (field.constant) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      integer(bytes, 8, key(field.type, value));
      return bytes.toByteArray();
    }
    return plain(field.type, value);
  }

  private Map<Object, Long> pool(String type) {
    return pools.computeIfAbsent(type, name -> new LinkedHashMap<>());
  }

  private long key(String type, Object value) {
    Map<Object, Long> pool = pool(type);
    Long known = pool.get(value);
    if (known == null) {
      // Of strings' keys, the highest bit is not kept.
      long far = random.nextLong() >>> 8 << (type.equals(STRING) ? 4 : 12);
      known = pool.size() + 1L + (random.nextBoolean() ? 0 : far);
      pool.put(value, known);
    }
    return known;
  }

  private byte[] plain(String type, Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (value instanceof Map<?, ?> fields) {
      return structure(type, fields);
    }
    switch (type) {
      case STRING -> string(bytes, String.valueOf(value));
      case "boolean" -> bytes.write(Boolean.TRUE.equals(value) ? 1 : 0);
      case "byte" -> bytes.write(((Number) value).intValue());
      case "float" ->
          bytes.writeBytes(ByteBuffer.allocate(4).putFloat(((Number) value).floatValue()).array());
      case "double" ->
          bytes.writeBytes(
              ByteBuffer.allocate(8).putDouble(((Number) value).doubleValue()).array());
      case "short", "char" -> integer(bytes, 2, ((Number) value).longValue() & 0x7fff);
      case "int" -> integer(bytes, 4, ((Number) value).longValue());
      default -> integer(bytes, 8, ((Number) value).longValue());
    }
    return bytes.toByteArray();
  }

  private void string(ByteArrayOutputStream bytes, String text) {
    switch (random.nextInt(3)) {
      case 0 -> {
        bytes.write(2);
        integer(bytes, 8, key(STRING, text));
      }
      case 1 -> utf8(bytes, text);
      default -> {
        bytes.write(4);
        integer(bytes, 4, text.length());
        text.chars().forEach(c -> integer(bytes, 2, c));
      }
    }
  }

  private void utf8(ByteArrayOutputStream bytes, String text) {
    bytes.write(3);
    integer(bytes, 4, text.getBytes(UTF_8).length);
    bytes.writeBytes(text.getBytes(UTF_8));
  }

  private void integer(ByteArrayOutputStream bytes, int width, long value) {
    if (!compressed) {
      byte[] all = ByteBuffer.allocate(8).putLong(value).array();
      bytes.write(all, 8 - width, width);
      return;
    }
    long rest = width == 8 ? value : value & (-1L >>> (64 - 8 * width));
    for (int i = 0; i < 8 && (rest & ~0x7fL) != 0; i++) {
      bytes.write((int) (rest | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  private void write(ByteArrayOutputStream target, long type, byte[] content) {
    ByteArrayOutputStream id = new ByteArrayOutputStream();
    integer(id, 8, type);
    int size = 4 + id.size() + content.length;
    target.writeBytes(
        compressed
            ? new byte[] {
              (byte) (size | 0x80),
              (byte) ((size >>> 7) | 0x80),
              (byte) ((size >>> 14) | 0x80),
              (byte) (size >>> 21)
            }
            : ByteBuffer.allocate(4).putInt(size).array());
    target.writeBytes(id.toByteArray());
    target.writeBytes(content);
  }

  /** The recording. */
  byte[] bytes() throws IOException {
    List<byte[]> encoded = pools();
    int checkpoints = 1 + random.nextInt(3);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(new byte[68]);
    int before = random.nextInt(2) * random.nextInt(checkpoints);
    long last = 0;
    for (int i = 0; i < checkpoints; i++) {
      if (i == before) {
        all.writeBytes(events.toByteArray());
      }
      int from = encoded.size() * i / checkpoints;
      int to = encoded.size() * (i + 1) / checkpoints;
      long at = all.size();
      ByteArrayOutputStream pool = new ByteArrayOutputStream();
      integer(pool, 8, 1);
      integer(pool, 8, 0);
      integer(pool, 8, last == 0 ? 0 : last - at);
      pool.write(0);
      integer(pool, 4, to - from);
      encoded.subList(from, to).forEach(pool::writeBytes);
      write(all, 1, pool.toByteArray());
      last = at;
    }
    long metadata = all.size();
    write(all, 0, metadata());
    ByteBuffer bytes = ByteBuffer.wrap(all.toByteArray());
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(header);
    data.writeBytes("FLR\0");
    data.writeInt(2 << 16);
    long second = 1_000_000_000L;
    for (long value : new long[] {all.size(), last, metadata, START, second, 0, second}) {
      data.writeLong(value);
    }
    data.writeInt(compressed ? 1 : 0);
    bytes.put(header.toByteArray());
    return bytes.array();
  }

  /** All pools: to write a constant may need others, until none is new. Each is in pieces. */
  private List<byte[]> pools() {
    Map<String, Map<Object, byte[]>> done = new LinkedHashMap<>();
    boolean any = true;
    while (any) {
      any = false;
      for (String type : List.copyOf(pools.keySet())) {
        for (Object value : List.copyOf(pool(type).keySet())) {
          Map<Object, byte[]> known = done.computeIfAbsent(type, name -> new LinkedHashMap<>());
          if (!known.containsKey(value)) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            if (type.equals(STRING)) {
              utf8(text, String.valueOf(value));
            }
            known.put(value, type.equals(STRING) ? text.toByteArray() : plain(type, value));
            any = true;
          }
        }
      }
    }
    List<byte[]> pieces = new ArrayList<>();
    done.forEach(
        (type, values) -> {
          List<Object> keys = new ArrayList<>(values.keySet());
          int half = random.nextInt(keys.size() + 1);
          for (List<Object> part :
              List.of(keys.subList(0, half), keys.subList(half, keys.size()))) {
            ByteArrayOutputStream piece = new ByteArrayOutputStream();
            integer(piece, 8, id(type));
            integer(piece, 4, part.size());
            for (Object value : part) {
              integer(piece, 8, pool(type).getOrDefault(value, 0L));
              piece.writeBytes(values.get(value));
            }
            pieces.add(piece.toByteArray());
          }
        });
    Collections.shuffle(pieces, random);
    return pieces;
  }

  private byte[] metadata() {
    List<String> strings = new ArrayList<>();
    ByteArrayOutputStream elements = new ByteArrayOutputStream();
    element(elements, strings, "root", 1);
    element(elements, strings, "metadata", types.size());
    types.forEach(
        (name, fields) -> {
          String number = String.valueOf(id(name));
          String supertype = name.contains("Sample") ? "jdk.jfr.Event" : "";
          String[] attributes = {"id", number, "name", name, "superType", supertype};
          element(elements, strings, "class", fields.size(), attributes);
          for (Field field : fields) {
            List<String> all = new ArrayList<>();
            all.addAll(List.of("name", field.name, "class", String.valueOf(id(field.type))));
            all.addAll(field.array ? List.of("dimension", "1") : List.of());
            all.addAll(field.constant ? List.of("constantPool", "true") : List.of());
            boolean isMarked = contextual.contains(field.name);
            element(elements, strings, "field", isMarked ? 1 : 0, all.toArray(new String[0]));
            if (isMarked) {
              String annotation = String.valueOf(id(CONTEXTUAL));
              element(elements, strings, "annotation", 0, "class", annotation);
            }
          }
        });
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Arrays.stream(new long[] {1, 0, 1}).forEach(value -> integer(bytes, 8, value));
    integer(bytes, 4, strings.size());
    strings.forEach(text -> utf8(bytes, text));
    bytes.writeBytes(elements.toByteArray());
    return bytes.toByteArray();
  }

  private void element(
      ByteArrayOutputStream target,
      List<String> strings,
      String kind,
      int children,
      String... attributes) {
    integer(target, 4, index(strings, kind));
    integer(target, 4, attributes.length / 2);
    for (String attribute : attributes) {
      integer(target, 4, index(strings, attribute));
    }
    integer(target, 4, children);
  }

  private static int index(List<String> strings, String text) {
    if (!strings.contains(text)) {
      strings.add(text);
    }
    return strings.indexOf(text);
  }
}
