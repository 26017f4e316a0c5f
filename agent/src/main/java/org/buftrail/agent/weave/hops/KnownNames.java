package org.buftrail.agent.weave.hops;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of names that is asked with bytes of class files, so that no string is made for a question.
 *
 * <p>Thread-safe. Takes no more beyond a bound.
 */
public final class KnownNames {
  private static final int MAX_KEPT = 20_000;

  /** Slots for each name: looked through from the slot of its hash on, to the first empty one. */
  private static final int SPARSE = 2;

  /** A power of two of them. Replaced when it is full; a name once seen in it stays. */
  private volatile @Nullable Name[] slots = new Name[256];

  private int size;

  private static final class Name {
    final byte[] bytes;
    final int hash;

    Name(byte[] bytes, int hash) {
      this.bytes = bytes;
      this.hash = hash;
    }

    boolean is(byte[] file, int from, int to, int hash) {
      return hash == this.hash && Arrays.equals(bytes, 0, bytes.length, file, from, to);
    }
  }

  /**
   * Whether a name is one of them.
   *
   * @param hash of its bytes: 31 times that of all before the last, and the last
   */
  boolean contains(byte[] file, int from, int to, int hash) {
    @Nullable Name[] all = slots;
    int at = hash & (all.length - 1);
    for (Name name = all[at]; name != null; name = all[at]) {
      if (name.is(file, from, to, hash)) {
        return true;
      }
      at = (at + 1) & (all.length - 1);
    }
    return false;
  }

  synchronized void add(byte[] file, int from, int to, int hash) {
    if (size == MAX_KEPT || contains(file, from, to, hash)) {
      return;
    }
    if (++size * SPARSE > slots.length) {
      @Nullable Name[] more = new Name[2 * slots.length];
      for (Name name : slots) {
        if (name != null) {
          put(more, name);
        }
      }
      slots = more;
    }
    put(slots, new Name(Arrays.copyOfRange(file, from, to), hash));
  }

  private static void put(@Nullable Name[] slots, Name name) {
    int at = name.hash & (slots.length - 1);
    while (slots[at] != null) {
      at = (at + 1) & (slots.length - 1);
    }
    slots[at] = name;
  }
}
