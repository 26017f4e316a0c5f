package org.buftrail.jfr.constants;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.buftrail.jfr.file.Cursor;
import org.buftrail.jfr.file.Text;
import org.buftrail.jfr.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/**
 * The constants of one type that are a text, or a structure with one: symbols, strings, states.
 * Holds them as UTF-8 in one array. A constant may also refer to one of this pool or another.
 */
public final class StringPool {
  private static final int ALIAS = -1;

  /** References that lead to references, in a row. */
  private static final int DEEPEST = 16;

  /** Bytes behind the last text, so that a copy of a text may take whole words. */
  private static final int SLACK = Long.BYTES;

  private final LongIntMap indices = new LongIntMap();
  private byte[] bytes = new byte[1024];
  private int used;
  private int[] starts = new int[64];
  private int[] lengths = new int[64];

  /** Where strings are looked for that are written as a key; null for this pool. */
  private final @Nullable StringPool strings;

  // Constants that refer to others: in which pool, by which key, and as which index there.
  private @Nullable StringPool[] aliasPools = new @Nullable StringPool[1];
  private @Nullable StringPool[] settled = new @Nullable StringPool[1];
  private long[] aliases = new long[1];
  private int[] targets = new int[1];
  private int aliasCount;

  /**
   * @param strings the pool of {@code java.lang.String}, or null if this is it
   */
  public StringPool(@Nullable StringPool strings) {
    this.strings = strings;
  }

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
      alias(key, strings == null ? this : strings, buffer.i8());
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

  /** Adds a constant that is the same as one of a pool. */
  void alias(long key, StringPool pool, long target) {
    if (aliasCount == aliases.length) {
      aliasPools = Arrays.copyOf(aliasPools, aliasCount * 2);
      settled = Arrays.copyOf(settled, aliasCount * 2);
      aliases = Arrays.copyOf(aliases, aliasCount * 2);
      targets = Arrays.copyOf(targets, aliasCount * 2);
    }
    aliasPools[aliasCount] = pool;
    aliases[aliasCount] = target;
    put(key, aliasCount++, ALIAS);
  }

  /** Follows all references, once all constants of all pools are known. */
  void settle() {
    for (int alias = 0; alias < aliasCount; alias++) {
      StringPool pool = aliasPools[alias];
      int index = pool == null ? LongIntMap.NONE : pool.indexOf(aliases[alias]);
      for (int i = 0; i < DEEPEST && pool != null && index >= 0 && pool.isAlias(index); i++) {
        int next = pool.starts[index];
        long key = pool.aliases[next];
        pool = pool.aliasPools[next];
        index = pool == null ? LongIntMap.NONE : pool.indexOf(key);
      }
      settled[alias] = pool;
      targets[alias] = index < 0 || pool == null || pool.isAlias(index) ? LongIntMap.NONE : index;
    }
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

  private boolean isAlias(int index) {
    return lengths[index] == ALIAS;
  }

  /** Whether the text of a constant is not in the chunk. */
  public boolean isMissing(int index) {
    return isAlias(index) && targets[starts[index]] < 0;
  }

  /** The pool that holds the text of a constant that is not missing. */
  public StringPool holder(int index) {
    StringPool pool = isAlias(index) ? settled[starts[index]] : this;
    return pool == null ? this : pool;
  }

  /** The index of the text of a constant in the pool that holds it. */
  public int target(int index) {
    return isAlias(index) ? targets[starts[index]] : index;
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
