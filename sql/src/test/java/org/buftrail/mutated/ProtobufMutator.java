package org.buftrail.mutated;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Changes fields of messages, whatever they mean, and sets the lengths around them right. What
 * could be a message is taken for one.
 */
final class ProtobufMutator {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;
  private static final int FIXED32 = 5;
  private static final int DEEPEST = 6;
  private static final int LARGEST_NUMBER = 1_000;

  private final Random random;

  /** A field: a number, bytes, or the fields of a message. */
  private static final class Field {
    int number;
    final int type;
    long value;
    byte[] bytes = {};
    @Nullable List<Field> fields;

    Field(int number, int type) {
      this.number = number;
      this.type = type;
    }
  }

  /** What is read: a position, and whether it still makes sense. */
  private static final class In {
    final ByteBuffer bytes;
    boolean isSound = true;

    In(byte[] bytes) {
      this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    long varint() {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE && bytes.hasRemaining(); shift += 7) {
        byte next = bytes.get();
        value |= (next & 0x7fL) << shift;
        if (next >= 0) {
          return value;
        }
      }
      isSound = false;
      return 0;
    }

    byte[] take(long length) {
      if (length < 0 || length > bytes.remaining()) {
        isSound = false;
        return new byte[0];
      }
      byte[] taken = new byte[(int) length];
      bytes.get(taken);
      return taken;
    }
  }

  ProtobufMutator(Random random) {
    this.random = random;
  }

  /** The message with some changes; itself, if it is none. */
  byte[] mutate(byte[] message) {
    List<Field> fields = parse(message, 0);
    if (fields == null || fields.isEmpty()) {
      return message;
    }
    for (int i = random.nextInt(3); i >= 0; i--) {
      change(fields);
    }
    return written(fields);
  }

  private static @Nullable List<Field> parse(byte[] message, int depth) {
    In in = new In(message);
    List<Field> fields = new ArrayList<>();
    while (in.isSound && in.bytes.hasRemaining()) {
      long key = in.varint();
      long number = key >>> 3;
      Field field = new Field((int) number, (int) (key & 7));
      switch (field.type) {
        case VARINT -> field.value = in.varint();
        case FIXED64 -> field.bytes = in.take(Long.BYTES);
        case FIXED32 -> field.bytes = in.take(Integer.BYTES);
        case LENGTH -> {
          field.bytes = in.take(in.varint());
          boolean isPerhaps = depth < DEEPEST && field.bytes.length > 1;
          field.fields = isPerhaps ? parse(field.bytes, depth + 1) : null;
        }
        default -> in.isSound = false;
      }
      in.isSound &= number > 0 && number <= LARGEST_NUMBER;
      fields.add(field);
    }
    return in.isSound ? fields : null;
  }

  private void change(List<Field> message) {
    List<Field> fields = message;
    Field field = pick(fields);
    while (field.fields != null && !field.fields.isEmpty() && random.nextInt(5) > 0) {
      fields = field.fields;
      field = pick(fields);
    }
    int at = fields.indexOf(field);
    switch (random.nextInt(9)) {
      case 0 -> {
        if (fields.size() > 1) {
          fields.remove(at);
        }
      }
      case 1 -> {
        int times = 1 + random.nextInt(random.nextInt(10) == 0 ? 2_000 : 3);
        fields.addAll(at, Collections.nCopies(times, field));
      }
      case 2, 3 -> value(field);
      case 4 -> field.number = 1 + random.nextInt(12);
      case 5 -> {
        field.fields = null;
        field.bytes = noise(field.type);
      }
      case 6 -> Collections.shuffle(fields, random);
      case 7 -> {
        if (field.type == LENGTH) {
          field.fields = null;
          field.bytes = numbers();
        }
      }
      default -> {
        for (Field each : fields) {
          each.value = random.nextInt(4) == 0 ? number() : each.value;
        }
      }
    }
  }

  private Field pick(List<Field> fields) {
    return fields.get(random.nextInt(fields.size()));
  }

  private long number() {
    return Hostile.NUMBERS[random.nextInt(Hostile.NUMBERS.length)];
  }

  private void value(Field field) {
    switch (field.type) {
      case VARINT -> field.value = random.nextBoolean() ? number() : field.value + near();
      case FIXED64 -> field.bytes = ByteBuffer.allocate(Long.BYTES).putLong(number()).array();
      case LENGTH -> {
        field.fields = null;
        field.bytes = Hostile.bytes(Hostile.TEXTS.get(random.nextInt(Hostile.TEXTS.size())));
      }
      default -> field.bytes = noise(field.type);
    }
  }

  private long near() {
    return random.nextInt(20) - 10L;
  }

  /** As many bytes as the type has. */
  private byte[] noise(int type) {
    byte[] bytes =
        new byte
            [switch (type) {
              case FIXED64 -> Long.BYTES;
              case FIXED32 -> Integer.BYTES;
              default -> random.nextInt(60);
            }];
    random.nextBytes(bytes);
    return bytes;
  }

  private byte[] numbers() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = random.nextInt(300); i > 0; i--) {
      varint(number(), out);
    }
    return out.toByteArray();
  }

  private static byte[] written(List<Field> fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Field field : fields) {
      varint(((long) field.number << 3) | field.type, out);
      if (field.type == VARINT) {
        varint(field.value, out);
      } else {
        byte[] bytes = field.fields == null ? field.bytes : written(field.fields);
        if (field.type == LENGTH) {
          varint(bytes.length, out);
        }
        out.writeBytes(bytes);
      }
    }
    return out.toByteArray();
  }

  private static void varint(long value, ByteArrayOutputStream out) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
