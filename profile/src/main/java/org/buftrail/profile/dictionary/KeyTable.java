package org.buftrail.profile.dictionary;

/**
 * Identities of samples: stack, attribute set and link. Indices begin at 0. 16 bytes an entry and 6
 * to 12 bytes for its slot.
 */
public final class KeyTable {
  // The fourth int is always 1, so that no identity is the zero record.
  private final Quads records = new Quads();

  /** Makes an empty table. */
  public KeyTable() {}

  /** Number of identities. */
  public int size() {
    return records.size() - 1;
  }

  /** The index of an identity; new ones are added. */
  public int intern(int stack, int attributeSet, int link) {
    return records.intern(stack, attributeSet, link, 1) - 1;
  }

  /** The stack of an identity. */
  public int stack(int index) {
    return records.first(index + 1);
  }

  /** The attribute set of an identity. */
  public int attributeSet(int index) {
    return records.second(index + 1);
  }

  /** The link of an identity. */
  public int link(int index) {
    return records.third(index + 1);
  }

  /** Forgets everything, keeps the memory. */
  public void clear() {
    records.clear();
  }
}
