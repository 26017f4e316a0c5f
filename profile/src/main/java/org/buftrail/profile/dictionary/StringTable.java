package org.buftrail.profile.dictionary;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Strings, kept as valid UTF-8. {@code ProfilesDictionary.string_table}.
 *
 * <p>Memory: the bytes of the string, 8 bytes, and 6 to 12 bytes for the slot. Beside that at most
 * {@value #MOST_RECENT} short {@link String} objects that were looked up lately are remembered.
 */
public final class StringTable {
  private static final int MOST_RECENT = 16_384;
  private static final int LONGEST_RECENT = 256;
  private static final int LEAST_RECENT = 256;

  private final Slots slots = new Slots();
  private byte[] bytes = new byte[1024];
  // The bytes of string i end at ends[i] and begin where those of i - 1 end.
  private int[] ends = new int[64];
  private int[] hashes = new int[64];
  private int size = 1;

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
    int hash = Hashing.of(utf8, offset, length);
    int slot = slots.home(hash);
    for (int entry = slots.at(slot); entry != 0; entry = slots.at(slot)) {
      int index = slots.index(entry);
      if (slots.matches(entry, hash)
          && Arrays.equals(bytes, ends[index - 1], ends[index], utf8, offset, offset + length)) {
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

  private int insert(int slot, int hash, byte[] utf8, int offset, int length) {
    int start = ends[size - 1];
    if (length > bytes.length - start) {
      bytes = Arrays.copyOf(bytes, Growth.of(bytes.length, start + (long) length));
    }
    if (size == ends.length) {
      int room = Growth.of(size, size + 1L);
      ends = Arrays.copyOf(ends, room);
      hashes = Arrays.copyOf(hashes, room);
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
    return new String(bytes, offset(index), byteLength(index), StandardCharsets.UTF_8);
  }

  /** Length of a string in UTF-8 bytes. */
  public int byteLength(int index) {
    return index == 0 ? 0 : ends[index] - ends[index - 1];
  }

  /** Copies the UTF-8 bytes of a string into a target. */
  public void copy(int index, byte[] target, int targetOffset) {
    System.arraycopy(bytes, offset(index), target, targetOffset, byteLength(index));
  }

  private int offset(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  /** Forgets all strings but the empty one and keeps the memory. */
  public void clear() {
    slots.clear();
    size = 1;
    Arrays.fill(recent, null);
  }
}
