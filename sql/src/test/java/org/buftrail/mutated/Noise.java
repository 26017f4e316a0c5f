package org.buftrail.mutated;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/** Changes bytes, whatever they are. */
final class Noise {
  private static final byte[] FILLS = {0, -1, -128, 127};
  private static final int SHORTEST_TEXT = 5;
  private static final int LONGEST = 4_000_000;

  private final Random random;

  Noise(Random random) {
    this.random = random;
  }

  /** One change. */
  byte[] change(byte[] bytes) {
    if (bytes.length == 0) {
      return bytes;
    }
    return switch (random.nextInt(6)) {
      case 0, 1 -> flipped(bytes);
      case 2 -> overwritten(bytes);
      case 3 -> texts(bytes);
      case 4 -> random.nextBoolean() ? doubled(bytes) : without(bytes);
      default -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
    };
  }

  /** A few bits. */
  byte[] flipped(byte[] bytes) {
    byte[] changed = bytes.clone();
    for (int i = random.nextInt(5); i >= 0 && changed.length > 0; i--) {
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    return changed;
  }

  private byte[] overwritten(byte[] bytes) {
    byte[] changed = bytes.clone();
    int from = random.nextInt(changed.length);
    int to = Math.min(changed.length, from + 1 + random.nextInt(64));
    Arrays.fill(changed, from, to, FILLS[random.nextInt(FILLS.length)]);
    return changed;
  }

  private byte[] doubled(byte[] bytes) {
    int from = random.nextInt(bytes.length);
    int to = Math.min(bytes.length, from + 1 + random.nextInt(2_000));
    if (bytes.length > LONGEST) {
      return bytes;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, to);
    out.write(bytes, from, bytes.length - from);
    return out.toByteArray();
  }

  private byte[] without(byte[] bytes) {
    int from = random.nextInt(bytes.length);
    int to = Math.min(bytes.length, from + 1 + random.nextInt(200));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, from);
    out.write(bytes, to, bytes.length - to);
    return out.toByteArray();
  }

  /** Writes hostile texts over what looks like text, so that lengths still hold. */
  private byte[] texts(byte[] bytes) {
    byte[] changed = bytes.clone();
    for (int i = 1 + random.nextInt(30); i > 0; i--) {
      int from = text(changed, random.nextInt(changed.length));
      byte[] text = Hostile.bytes(Hostile.TEXTS.get(random.nextInt(Hostile.TEXTS.size())));
      for (int at = from; at < changed.length && isText(changed[at]); at++) {
        changed[at] = at - from < text.length ? text[at - from] : (byte) 'x';
      }
    }
    return changed;
  }

  /** Where the next text begins; the end, if there is none. */
  private static int text(byte[] bytes, int from) {
    int length = 0;
    for (int at = from; at < bytes.length; at++) {
      length = isText(bytes[at]) ? length + 1 : 0;
      if (length == SHORTEST_TEXT) {
        return at - length + 1;
      }
    }
    return bytes.length;
  }

  private static boolean isText(byte each) {
    return Character.isLetterOrDigit(each) || each == '.' || each == '/' || each == '_';
  }
}
