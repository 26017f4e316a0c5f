package org.buftrail.profile.dictionary;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.buftrail.profile.hash.HashIndex;
import org.buftrail.profile.hash.Hashing;
import org.buftrail.profile.hash.Words;
import org.jspecify.annotations.Nullable;

/**
 * Strings, kept as valid UTF-8. {@code ProfilesDictionary.string_table}.
 *
 * <p>Most strings are names of methods, of which many share their class. Such a string is kept as
 * the class's and what is behind the point: {@link #join} neither copies nor reads the name of the
 * class again. It is the same string all the same as one given in whole, so texts are hashed in two
 * parts too, before their last point and behind it. What is not ASCII behind it is kept in whole.
 *
 * <p>Memory: the bytes of the string, 8 bytes, and 6 to 12 bytes for the slot; once one is joined 8
 * bytes more for each, and of joined ones only the bytes behind the point. Beside that at most
 * {@value #MOST_RECENT} short {@link String} objects that were looked up lately are remembered.
 */
public final class StringTable {
  private static final int MOST_RECENT = 16_384;
  private static final int LONGEST_RECENT = 256;
  private static final int LEAST_RECENT = 256;
  private static final byte POINT = '.';

  /** Eight times {@code .}. */
  private static final long POINTS = 0x2e2e2e2e2e2e2e2eL;

  private static final long TOP_BITS = 0x8080808080808080L;

  private final HashIndex slots = new HashIndex();
  private byte[] bytes = new byte[1024];
  // The bytes of string i end at ends[i] and begin where those of i - 1 end.
  private int[] ends = new int[64];
  private int[] hashes = new int[64];
  private int size = 1;

  // For a joined string, the part before its last point, its bytes being the part behind it; 0 for
  // others. And of those before a point the hash of all their bytes, 0 if it has not been needed.
  // Empty as long as no string is joined.
  private int[] lefts = new int[0];
  private int[] wholeHashes = new int[0];

  // Bytes of all joined strings as they are written: not more than an array would hold.
  private long joinedBytes;

  private @Nullable String[] recent = new @Nullable String[LEAST_RECENT];
  private int[] recentIndices = new int[LEAST_RECENT];
  private byte[] scratch = new byte[256];

  /** Makes a table of its own, with the empty string alone. */
  public StringTable() {}

  /** Number of strings, the empty one at 0 included. */
  public int size() {
    return size;
  }

  /** The index of a string; new strings are added. An unpaired surrogate becomes {@code ?}. */
  public int intern(String string) {
    if (string.isEmpty()) {
      return 0;
    }
    int place = recentPlace(string);
    String known = recent[place];
    if (known != null && known.equals(string)) {
      return recentIndices[place];
    }
    String other = recent[place ^ 1];
    if (other != null && other.equals(string)) {
      return recentIndices[place ^ 1];
    }
    int length = encode(string);
    int index = intern(scratch, 0, length);
    if (length <= LONGEST_RECENT) {
      remember(string, index);
    }
    return index;
  }

  /**
   * The index of a string given as UTF-8; new strings are added. Bytes that are not valid UTF-8 are
   * replaced by U+FFFD, as {@link String#String(byte[], java.nio.charset.Charset)} does.
   */
  public int intern(byte[] utf8, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    int hash = hash(utf8, offset, length);
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      int index = slots.index(entry);
      if (slots.matches(entry, hash) && is(index, utf8, offset, length)) {
        return index;
      }
      slot = slots.after(slot);
    }
    if (!Utf8.isValid(utf8, offset, length)) {
      byte[] repaired =
          new String(utf8, offset, length, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
      return intern(repaired, 0, repaired.length);
    }
    return insert(slot, hash, utf8, offset, length);
  }

  /**
   * The index of a string, a point and another one behind it, such as a class and its method; if it
   * is new, it is added.
   *
   * @param left index of the first, not 0
   * @param utf8 has the second, not empty, as UTF-8
   */
  public int join(int left, byte[] utf8, int offset, int length) {
    if (!isPlain(utf8, offset, length)) {
      return internWhole(left, utf8, offset, length);
    }
    int hash = Hashing.of(wholeHash(left), Hashing.of(utf8, offset, length));
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      int index = slots.index(entry);
      if (slots.matches(entry, hash) && isJoin(index, left, utf8, offset, length)) {
        return index;
      }
      slot = slots.after(slot);
    }
    joinedBytes += byteLength(left) + 1L + length;
    Growth.check(joinedBytes);
    int index = insert(slot, hash, utf8, offset, length);
    lefts[index] = left;
    return index;
  }

  /** Whether a text is ASCII and has no point. */
  private static boolean isPlain(byte[] utf8, int offset, int length) {
    int end = offset + length;
    int i = offset;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      long word = Words.get(utf8, i);
      if (((word & TOP_BITS) | points(word)) != 0) {
        return false;
      }
    }
    for (; i < end; i++) {
      if (utf8[i] < 0 || utf8[i] == POINT) {
        return false;
      }
    }
    return true;
  }

  /** For what is split in another place than where the two meet, or may have to be repaired. */
  private int internWhole(int left, byte[] utf8, int offset, int length) {
    int leftLength = byteLength(left);
    byte[] whole = new byte[Math.addExact(leftLength + 1, length)];
    copy(left, whole, 0);
    whole[leftLength] = POINT;
    System.arraycopy(utf8, offset, whole, leftLength + 1, length);
    return intern(whole, 0, whole.length);
  }

  /**
   * Whether a string is another one, a point and a text behind it, as {@link #join} takes them. Two
   * joined strings are the same if their parts are, since there is one way to split them.
   */
  public boolean isJoin(int index, int left, byte[] utf8, int offset, int length) {
    int start = offset(index);
    int end = ends[index];
    if (isJoined(index)) {
      return lefts[index] == left
          && Arrays.equals(bytes, start, end, utf8, offset, offset + length);
    }
    int point = end - length - 1;
    return point - start == byteLength(left)
        && bytes[point] == POINT
        && Arrays.equals(bytes, point + 1, end, utf8, offset, offset + length)
        && is(left, bytes, start, point - start);
  }

  private boolean is(int index, byte[] utf8, int offset, int length) {
    int end = offset + length;
    int part = index;
    for (; isJoined(part); part = lefts[part]) {
      int point = end - ownLength(part) - 1;
      if (point < offset
          || utf8[point] != POINT
          || !Arrays.equals(bytes, offset(part), ends[part], utf8, point + 1, end)) {
        return false;
      }
      end = point;
    }
    return Arrays.equals(bytes, offset(part), ends[part], utf8, offset, end);
  }

  private boolean isJoined(int index) {
    return index < lefts.length && lefts[index] != 0;
  }

  private int wholeHash(int left) {
    int hash = left < wholeHashes.length ? wholeHashes[left] : 0;
    if (hash == 0) {
      if (wholeHashes.length == 0) {
        lefts = new int[ends.length];
        wholeHashes = new int[ends.length];
      }
      byte[] whole = bytes;
      int from = offset(left);
      int length = byteLength(left);
      if (isJoined(left)) {
        whole = new byte[length];
        copy(left, whole, 0);
        from = 0;
      }
      hash = Hashing.of(whole, from, length);
      wholeHashes[left] = hash;
    }
    return hash;
  }

  private static int hash(byte[] utf8, int offset, int length) {
    int point = lastPoint(utf8, offset, length);
    return point < 0
        ? Hashing.of(utf8, offset, length)
        : Hashing.of(
            Hashing.of(utf8, offset, point - offset),
            Hashing.of(utf8, point + 1, offset + length - point - 1));
  }

  /** The position of the last point, or -1. */
  private static int lastPoint(byte[] utf8, int offset, int length) {
    int at = offset + length;
    while (at - offset >= Long.BYTES) {
      long points = points(Words.get(utf8, at - Long.BYTES));
      if (points != 0) {
        return at - 1 - (Long.numberOfLeadingZeros(points) >>> 3);
      }
      at -= Long.BYTES;
    }
    while (--at >= offset) {
      if (utf8[at] == POINT) {
        return at;
      }
    }
    return -1;
  }

  /** The top bits of those of eight bytes that are points. */
  private static long points(long word) {
    long other = word ^ POINTS;
    return ~(((other & ~TOP_BITS) + ~TOP_BITS) | other) & TOP_BITS;
  }

  private int insert(int slot, int hash, byte[] utf8, int offset, int length) {
    int start = ends[size - 1];
    if (length > bytes.length - start) {
      bytes = Arrays.copyOf(bytes, Growth.of(bytes.length, start + (long) length));
    }
    if (size == ends.length) {
      int room = Growth.of(size, size + 1L);
      ends = Arrays.copyOf(ends, room);
      hashes = Arrays.copyOf(hashes, room);
      if (lefts.length > 0) {
        lefts = Arrays.copyOf(lefts, room);
        wholeHashes = Arrays.copyOf(wholeHashes, room);
      }
    }
    if (lefts.length > 0) {
      lefts[size] = 0;
      wholeHashes[size] = 0;
    }
    System.arraycopy(utf8, offset, bytes, start, length);
    ends[size] = start + length;
    hashes[size] = hash;
    int index = size++;
    slots.put(slot, hash, index);
    if (slots.isFullWith(size)) {
      slots.grow();
      for (int i = 1; i < size; i++) {
        slots.putFree(hashes[i], i);
      }
    }
    return index;
  }

  private int encode(String string) {
    int length = string.length();
    if (scratch.length < length) {
      scratch = new byte[Growth.of(scratch.length, length)];
    }
    byte[] target = scratch;
    for (int i = 0; i < length; i++) {
      char c = string.charAt(i);
      if (c >= 0x80) {
        byte[] encoded = string.getBytes(StandardCharsets.UTF_8);
        scratch = encoded.length > scratch.length ? encoded : scratch;
        System.arraycopy(encoded, 0, scratch, 0, encoded.length);
        return encoded.length;
      }
      target[i] = (byte) c;
    }
    return length;
  }

  private int recentPlace(String string) {
    int hash = string.hashCode();
    return (hash ^ hash >>> 15) & (recent.length - 1);
  }

  private void remember(String string, int index) {
    if (size > recent.length / 4 && recent.length < MOST_RECENT) {
      recent = new @Nullable String[recent.length * 4];
      recentIndices = new int[recent.length];
    }
    int place = recentPlace(string);
    // A string has two places; the newer stands in its own, the older moves to the other.
    recent[place ^ 1] = recent[place];
    recentIndices[place ^ 1] = recentIndices[place];
    recent[place] = string;
    recentIndices[place] = index;
  }

  /** The string at an index. Makes a new object at each call. */
  public String get(int index) {
    if (isJoined(index)) {
      byte[] whole = new byte[byteLength(index)];
      copy(index, whole, 0);
      return new String(whole, StandardCharsets.UTF_8);
    }
    return new String(bytes, offset(index), byteLength(index), StandardCharsets.UTF_8);
  }

  /** Length of a string in UTF-8 bytes. */
  public int byteLength(int index) {
    int length = 0;
    int part = index;
    for (; isJoined(part); part = lefts[part]) {
      length += 1 + ownLength(part);
    }
    return length + ownLength(part);
  }

  private int ownLength(int index) {
    return index == 0 ? 0 : ends[index] - ends[index - 1];
  }

  /** Copies the UTF-8 bytes of a string into a target. */
  public void copy(int index, byte[] target, int targetOffset) {
    copyBefore(index, target, targetOffset + byteLength(index));
  }

  /** Copies the UTF-8 bytes of a string to before a position of a target. */
  public void copyBefore(int index, byte[] target, int position) {
    int start = position;
    int part = index;
    for (; isJoined(part); part = lefts[part]) {
      start -= ownLength(part);
      System.arraycopy(bytes, offset(part), target, start, ownLength(part));
      target[--start] = POINT;
    }
    System.arraycopy(bytes, offset(part), target, start - ownLength(part), ownLength(part));
  }

  /** About how many bytes the strings take. */
  long bytes() {
    return ends[size - 1] + 24L * size;
  }

  private int offset(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  /** Forgets all strings but the empty one and keeps the memory. */
  public void clear() {
    slots.clear();
    size = 1;
    joinedBytes = 0;
    Arrays.fill(recent, null);
  }
}
