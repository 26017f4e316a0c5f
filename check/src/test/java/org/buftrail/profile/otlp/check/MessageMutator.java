package org.buftrail.profile.otlp.check;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.buftrail.profile.otlp.schema.Schema;
import org.buftrail.profile.protobuf.ProtobufDecoder;
import org.buftrail.profile.protobuf.WireType;
import org.jspecify.annotations.Nullable;

/**
 * Changes OTLP messages field by field: the lengths around a change are set right, so that a reader
 * meets it deep inside and not at the first byte. Fields of each name are chosen equally often,
 * however often a message has them. One seed changes one message always alike.
 */
final class MessageMutator {
  private static final long[] EDGES = {
    0, 1, 2, 3, 127, 128, 1_000, Integer.MAX_VALUE, 1L << 31, 1L << 32, Long.MAX_VALUE, -1, -2
  };
  private static final List<byte[]> TEXTS =
      List.of(
          new byte[0],
          "x".getBytes(StandardCharsets.UTF_8),
          new byte[16],
          new byte[8],
          new byte[] {(byte) 0xFF},
          new byte[] {'a', (byte) 0xC3},
          new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
          new byte[] {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80});

  private final Random random;

  /** A field with its value: bytes as they stand in the message, or the fields of a message. */
  private static final class Node {
    final String path;
    final @Nullable Schema schema;
    int number;
    int wireType;
    byte[] bytes;
    @Nullable List<Node> fields;

    Node(String path, @Nullable Schema schema, int number, int wireType, byte[] bytes) {
      this.path = path;
      this.schema = schema;
      this.number = number;
      this.wireType = wireType;
      this.bytes = bytes;
    }

    Node copy() {
      Node copy = new Node(path, schema, number, wireType, bytes);
      if (fields != null) {
        copy.fields = new ArrayList<>();
        for (Node field : fields) {
          copy.fields.add(field.copy());
        }
      }
      return copy;
    }
  }

  MessageMutator(long seed) {
    random = new Random(seed);
  }

  /** The message with one to three changes. */
  byte[] mutate(byte[] message) throws IOException {
    if (random.nextInt(5) == 0) {
      return flipped(message);
    }
    Node root = new Node("", Schema.PROFILES_DATA, 0, WireType.LENGTH, message);
    root.fields = parse(root);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      Map<String, List<Node>> parents = new TreeMap<>();
      collect(root, parents);
      change(pick(new ArrayList<>(parents.values())));
    }
    return written(root);
  }

  private byte[] flipped(byte[] message) {
    byte[] result = message.clone();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(result.length);
      result[at] = (byte) (random.nextBoolean() ? random.nextInt() : result[at] ^ 0x80);
    }
    return result;
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** The messages that hold at least one field, by the path of that field. */
  private static void collect(Node parent, Map<String, List<Node>> parents) {
    if (parent.fields == null) {
      return;
    }
    for (Node field : parent.fields) {
      List<Node> list = parents.computeIfAbsent(field.path, path -> new ArrayList<>());
      if (list.isEmpty() || list.get(list.size() - 1) != parent) {
        list.add(parent);
      }
      collect(field, parents);
    }
  }

  private void change(List<Node> parents) {
    Node parent = pick(parents);
    List<Node> fields = parent.fields == null ? List.of() : parent.fields;
    if (fields.isEmpty()) {
      return;
    }
    int at = random.nextInt(fields.size());
    Node field = fields.get(at);
    switch (random.nextInt(11)) {
      case 0:
        fields.remove(at);
        break;
      case 1:
        fields.add(random.nextInt(fields.size() + 1), field.copy());
        break;
      case 2:
        fields.add(random.nextInt(fields.size() + 1), strange(parent));
        break;
      case 3:
        field.number = random.nextInt(12);
        break;
      case 4:
        emptied(fields, field);
        break;
      case 5:
        fields.add(fields.remove(random.nextInt(fields.size())));
        break;
      case 6:
        absent(parent);
        break;
      default:
        value(field);
        break;
    }
  }

  /** A field that the message does not have, or one of its own with another wire type. */
  private Node strange(Node parent) {
    int number = random.nextBoolean() ? 1 + random.nextInt(12) : 20 + random.nextInt(1 << 20);
    int[] types = {WireType.VARINT, WireType.FIXED64, WireType.LENGTH, 3, 4, WireType.FIXED32};
    int wireType = types[random.nextInt(types.length)];
    int[] lengths = {1, 8, random.nextInt(5), 0, 0, 4};
    byte[] bytes = new byte[wireType == 3 ? 0 : lengths[wireType]];
    return new Node(parent.path + "?", null, number, wireType, bytes);
  }

  /**
   * Leaves a message, text or list without content, or puts an empty one of it before or behind.
   */
  private void emptied(List<Node> fields, Node field) {
    Node empty = new Node(field.path, field.schema, field.number, field.wireType, new byte[0]);
    if (field.wireType != WireType.LENGTH) {
      value(field);
    } else if (random.nextBoolean()) {
      fields.set(fields.indexOf(field), empty);
    } else {
      fields.add(random.nextInt(fields.size() + 1), empty);
    }
  }

  /** Adds a field that the schema has and the message perhaps not. */
  private void absent(Node parent) {
    Schema.Field field = parent.schema == null ? null : parent.schema.field(1 + random.nextInt(11));
    if (field != null && parent.fields != null) {
      Schema nested = field.kind == Schema.Kind.MESSAGE ? field.nested() : null;
      String path = parent.path + "." + field.name;
      Node added = new Node(path, nested, field.number, field.kind.wireType, new byte[0]);
      value(added);
      parent.fields.add(random.nextInt(parent.fields.size() + 1), added);
    }
  }

  private void value(Node field) {
    switch (field.wireType) {
      case WireType.VARINT:
        field.bytes = random.nextInt(8) == 0 ? overlong() : varint(pickNumber());
        break;
      case WireType.FIXED64:
        field.bytes = new byte[8];
        random.nextBytes(field.bytes);
        break;
      case WireType.FIXED32:
        field.bytes = new byte[4];
        break;
      default:
        if (field.fields == null || random.nextInt(3) == 0) {
          field.fields = null;
          field.bytes = random.nextBoolean() ? pick(TEXTS) : packed();
        } else if (!field.fields.isEmpty()) {
          value(pick(field.fields));
        }
        break;
    }
  }

  private long pickNumber() {
    return random.nextBoolean() ? random.nextInt(12) : EDGES[random.nextInt(EDGES.length)];
  }

  private byte[] packed() {
    ByteArrayOutputStream numbers = new ByteArrayOutputStream();
    for (int i = random.nextInt(4); i >= 0; i--) {
      numbers.writeBytes(varint(pickNumber()));
    }
    return numbers.toByteArray();
  }

  /** A number in more bytes than it needs, up to more than there may be. */
  private byte[] overlong() {
    byte[] number = new byte[2 + random.nextInt(10)];
    Arrays.fill(number, (byte) 0x80);
    number[number.length - 1] = (byte) random.nextInt(128);
    return number;
  }

  private static byte[] varint(long value) {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    long rest = value;
    while (rest >>> 7 != 0) {
      target.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    target.write((int) rest);
    return target.toByteArray();
  }

  private static List<Node> parse(Node message) throws IOException {
    List<Node> fields = new ArrayList<>();
    ProtobufDecoder decoder = new ProtobufDecoder(new ByteArrayInputStream(message.bytes));
    for (int number = decoder.readField(); number != 0; number = decoder.readField()) {
      int wireType = decoder.wireType();
      int from = (int) decoder.position();
      Schema.Field field = message.schema == null ? null : message.schema.field(number);
      byte[] bytes;
      if (wireType == WireType.LENGTH) {
        bytes = decoder.readBytes();
      } else {
        decoder.skipField();
        bytes = Arrays.copyOfRange(message.bytes, from, (int) decoder.position());
      }
      String path = message.path + "." + (field == null ? number : field.name);
      Schema nested = field != null && field.kind == Schema.Kind.MESSAGE ? field.nested() : null;
      Node node = new Node(path, nested, number, wireType, bytes);
      if (nested != null) {
        node.fields = parse(node);
      }
      fields.add(node);
    }
    return fields;
  }

  private static byte[] written(Node message) {
    if (message.fields == null) {
      return message.bytes;
    }
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    for (Node field : message.fields) {
      byte[] bytes = written(field);
      target.writeBytes(varint((long) field.number << 3 | field.wireType));
      if (field.wireType == WireType.LENGTH) {
        target.writeBytes(varint(bytes.length));
      }
      target.writeBytes(bytes);
    }
    return target.toByteArray();
  }
}
