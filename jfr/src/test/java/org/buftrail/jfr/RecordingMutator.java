package org.buftrail.jfr;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Breaks recordings where they have structure: headers, sizes, types, numbers, words, order. The
 * sizes and offsets around a change are mostly set right, so that it is met deep inside and not at
 * the first check. One seed breaks one recording always alike.
 */
public final class RecordingMutator {
  private static final int HEADER = 68;
  private static final long METADATA = 0;
  private static final long CHECKPOINT = 1;
  private static final int LONGEST = 4_000_000;

  private static final long[] EDGES = {
    0,
    1,
    2,
    63,
    64,
    127,
    128,
    255,
    256,
    16_383,
    16_384,
    65_535,
    65_536,
    1 << 21,
    (1L << 31) - 1,
    1L << 31,
    (1L << 32) - 1,
    1L << 32,
    1L << 62,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2
  };

  private static final List<String> WORDS =
      List.of(
          "class",
          "field",
          "name",
          "id",
          "superType",
          "dimension",
          "constantPool",
          "true",
          "1",
          "-1",
          "int",
          "long",
          "java.lang.String",
          "jdk.types.StackTrace",
          "jdk.types.Method",
          "stackTrace",
          "startTime",
          "frames",
          "eventThread");

  private final Random random;
  private byte[] bytes = {};

  /**
   * An event, or metadata or a checkpoint.
   *
   * @param chunk where its chunk begins
   * @param at where its size stands, {@code width} bytes long, and the type behind it
   */
  private record Event(int chunk, int at, int width, int size, long type) {}

  /** Breaks with a seed. */
  public RecordingMutator(long seed) {
    random = new Random(seed);
  }

  /** The recording with one to eight changes. */
  public byte[] mutate(byte[] recording) {
    bytes = recording.clone();
    for (int i = 1 + random.nextInt(8); i > 0; i--) {
      List<Event> events = events();
      if (!events.isEmpty()) {
        change(events);
      }
    }
    return bytes;
  }

  private void change(List<Event> events) {
    Event any = pick(events);
    switch (random.nextInt(13)) {
      case 0 -> header(any.chunk);
      case 1 -> number(any, any.at, any.size + random.nextInt(40) - 20);
      case 2 -> number(any, any.at + any.width, random.nextInt(400));
      case 3, 4 -> number(ofType(events, CHECKPOINT));
      case 5 -> number(ofType(events, METADATA));
      case 6 -> word(ofType(events, METADATA));
      case 7 -> number(any);
      case 8 -> link(ofType(events, CHECKPOINT), ofType(events, CHECKPOINT));
      case 9 -> splice(any.chunk, any.at, 0, copy(pick(events)));
      case 10 -> splice(any.chunk, any.at, any.size, new byte[0]);
      case 11 -> bytes = Arrays.copyOf(bytes, any.at + random.nextInt(any.size));
      default -> nest(any);
    }
  }

  private Event pick(List<Event> events) {
    return events.get(random.nextInt(events.size()));
  }

  /** One of a type, or of any if there is none. */
  private Event ofType(List<Event> events, long type) {
    List<Event> found = new ArrayList<>(events);
    found.removeIf(event -> event.type != type);
    return pick(found.isEmpty() ? events : found);
  }

  /** A field of a header: size, offsets, times, ticks, or state and flags. */
  private void header(int chunk) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int field = chunk + 8 * (1 + random.nextInt(7));
    if (random.nextInt(8) == 0) {
      buffer.put(chunk + 64 + random.nextInt(4), (byte) random.nextInt());
    } else if (random.nextBoolean()) {
      buffer.putLong(field, EDGES[random.nextInt(EDGES.length)]);
    } else {
      buffer.putLong(field, buffer.getLong(field) + random.nextInt(400) - 200);
    }
  }

  /** What is a number of the event, or looks like one. */
  private void number(Event event) {
    number(event, event.at + random.nextInt(event.size), random.nextInt(300));
  }

  private void number(Event event, int at, long near) {
    long next = random.nextInt(3) == 0 ? near : EDGES[random.nextInt(EDGES.length)];
    int width = width(at);
    byte[] number = varint(next, random.nextBoolean() ? width : 1);
    splice(event.chunk, at, width, number);
    if (number.length != width && at > event.at && random.nextInt(4) != 0) {
      byte[] size = varint(event.size + number.length - width, event.width);
      System.arraycopy(size, 0, bytes, event.at, event.width);
    }
  }

  /** Writes one word of the metadata over another, as much of it as there is room for. */
  private void word(Event metadata) {
    byte[] old = WORDS.get(random.nextInt(WORDS.size())).getBytes(StandardCharsets.US_ASCII);
    byte[] next = WORDS.get(random.nextInt(WORDS.size())).getBytes(StandardCharsets.US_ASCII);
    List<Integer> places = new ArrayList<>();
    for (int at = metadata.at; at + old.length <= metadata.at + metadata.size; at++) {
      if (Arrays.equals(bytes, at, at + old.length, old, 0, old.length)) {
        places.add(at);
      }
    }
    if (!places.isEmpty()) {
      int at = places.get(random.nextInt(places.size()));
      System.arraycopy(next, 0, bytes, at, Math.min(old.length, next.length));
    }
  }

  /** Lets a checkpoint name another as the one before it: itself too, or one that comes later. */
  private void link(Event from, Event to) {
    int at = from.at + from.width;
    for (int i = 0; i < 3 && at < bytes.length; i++) {
      at += width(at);
    }
    if (at < from.at + from.size) {
      int width = width(at);
      splice(from.chunk, at, width, varint(to.at - from.at, width));
    }
  }

  /** Puts a part of the recording before an event. */
  private void nest(Event before) {
    int length = random.nextInt(bytes.length);
    if (bytes.length + length <= LONGEST) {
      splice(before.chunk, before.at, 0, Arrays.copyOf(bytes, length));
    }
  }

  private byte[] copy(Event event) {
    return Arrays.copyOfRange(bytes, event.at, event.at + event.size);
  }

  /** Replaces bytes, and mostly sets right the chunk's size and the offsets of what is behind. */
  private void splice(int chunk, int at, int removed, byte[] inserted) {
    byte[] next = new byte[bytes.length - removed + inserted.length];
    System.arraycopy(bytes, 0, next, 0, at);
    System.arraycopy(inserted, 0, next, at, inserted.length);
    int rest = at + removed;
    System.arraycopy(bytes, rest, next, at + inserted.length, bytes.length - rest);
    bytes = next;
    if (random.nextInt(4) != 0) {
      ByteBuffer header = ByteBuffer.wrap(bytes, chunk, HEADER).slice();
      for (int field = 8; field <= 24; field += 8) {
        long place = header.getLong(field);
        if (place > at - chunk) {
          header.putLong(field, place + inserted.length - removed);
        }
      }
    }
  }

  /** All that follows a header, chunk by chunk, up to where sizes make no sense. */
  private List<Event> events() {
    List<Event> events = new ArrayList<>();
    int chunk = 0;
    while (chunk + HEADER < bytes.length) {
      long stated = ByteBuffer.wrap(bytes).getLong(chunk + 8);
      boolean isWhole = stated > HEADER && stated <= bytes.length - chunk;
      int end = isWhole ? chunk + (int) stated : bytes.length;
      int at = chunk + HEADER;
      while (at < end) {
        int width = width(at);
        long size = value(at);
        if (size <= width || size > end - at) {
          break;
        }
        events.add(new Event(chunk, at, width, (int) size, value(at + width)));
        at += (int) size;
      }
      chunk = end;
    }
    return events;
  }

  /** How many bytes a number has; the ninth has eight bits. */
  private int width(int at) {
    int width = 1;
    while (width < 9 && at + width < bytes.length && bytes[at + width - 1] < 0) {
      width++;
    }
    return width;
  }

  private long value(int at) {
    long value = 0;
    for (int i = 0; i < width(at); i++) {
      value |= (bytes[at + i] & (i == 8 ? 0xffL : 0x7fL)) << (7 * i);
    }
    return value;
  }

  /** A number in at least so many bytes, one to nine. */
  private static byte[] varint(long value, int least) {
    byte[] number = new byte[9];
    int length = 0;
    long rest = value;
    while (length < 8 && (rest >>> 7 != 0 || length + 1 < least)) {
      number[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    number[length++] = (byte) rest;
    return Arrays.copyOf(number, length);
  }
}
