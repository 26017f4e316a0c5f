package org.buftrail.jfr.constants;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.buftrail.jfr.file.Cursor;
import org.buftrail.jfr.file.Text;
import org.buftrail.jfr.table.LongIntMap;

/**
 * The constants of one type that are a text, or a structure with one: symbols, strings, states.
 * Holds them as UTF-8 in one array.
 */
public final class StringPool {
  private static final int ALIAS = -1;

  /** Bytes behind the last text, so that whoever copies a text may take whole words. */
  private static final int SLACK = Long.BYTES;

  private final LongIntMap indices = new LongIntMap();
  private byte[] bytes = new byte[1024];
  private int used;
  private int[] starts = new int[64];
  private int[] lengths = new int[64];
  private long[] aliases = new long[1];
  private int aliasCount;

  /** Adds the string at the buffer's position, which ends up behind it. */
  public void add(long key, Cursor buffer) {
    int start = used;
    int at = buffer.position;
    int encoding = buffer.bytes[at];
    if (encoding == Text.UTF8) {
      buffer.position++;
      int count = buffer.i4();
      if (count < 0 || count > buffer.remaining()) {
        buffer.position = buffer.limit + 1;
        return;
      }
      append(buffer.bytes, buffer.position, count);
      buffer.position += count;
    } else if (encoding == Text.CONSTANT) {
      buffer.position++;
      alias(key, buffer.i8());
      return;
    } else {
      byte[] encoded = Text.read(buffer).getBytes(StandardCharsets.UTF_8);
      if (buffer.position > buffer.limit) {
        return;
      }
      append(encoded, 0, encoded.length);
    }
    put(key, start, used - start);
  }

  private void alias(long key, long target) {
    if (aliasCount == aliases.length) {
      aliases = Arrays.copyOf(aliases, aliasCount * 2);
    }
    aliases[aliasCount] = target;
    put(key, aliasCount++, ALIAS);
  }

  private void append(byte[] from, int at, int count) {
    if (count > bytes.length - SLACK - used) {
      int needed = Math.addExact(Math.addExact(used, count), SLACK);
      bytes = Arrays.copyOf(bytes, Math.max(needed, used * 2));
    }
    System.arraycopy(from, at, bytes, used, count);
    used += count;
  }

  private void put(long key, int start, int length) {
    int index = indices.intern(key);
    if (index == starts.length) {
      starts = Arrays.copyOf(starts, index * 2);
      lengths = Arrays.copyOf(lengths, index * 2);
    }
    starts[index] = start;
    lengths[index] = length;
  }

  /** Number of constants. */
  public int size() {
    return indices.size();
  }

  /** The index of a key, or {@link LongIntMap#NONE}. */
  public int indexOf(long key) {
    return indices.get(key);
  }

  /** Whether an index stands for a constant of the pool of strings, and not for a text. */
  public boolean isAlias(int index) {
    return lengths[index] == ALIAS;
  }

  /** The key of the string that an index stands for. */
  public long alias(int index) {
    return aliases[starts[index]];
  }

  /** The array that holds all texts, with slack behind. Valid until one is added. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where a text begins. */
  public int start(int index) {
    return starts[index];
  }

  /** Length of a text in bytes. */
  public int length(int index) {
    return Math.max(0, lengths[index]);
  }

  /** Forgets all texts and keeps the memory. */
  public void clear() {
    indices.clear();
    used = 0;
    aliasCount = 0;
  }
}
