package org.buftrail.profile.dictionary;

/**
 * Stacks. {@code ProfilesDictionary.stack_table}. 4 bytes a frame, 8 bytes a stack and 6 to 12
 * bytes for its slot.
 */
public final class StackTable {
  private final IntSequences sequences = new IntSequences();

  StackTable() {}

  /** Number of stacks, the empty one included. */
  public int size() {
    return sequences.size();
  }

  /**
   * The index of a stack; new stacks are added.
   *
   * @param locations indices in the location table, leaf first
   * @param from the leaf's position
   * @param to the position after the root's
   */
  public int intern(int[] locations, int from, int to) {
    return sequences.intern(locations, from, to);
  }

  /**
   * The indices of many stacks, which lie one after the other; new ones are added. Faster than one
   * by one, because their look-ups wait for memory together.
   *
   * @param locations indices in the location table, leaf first
   * @param bounds the position of the first leaf, then those behind each root
   * @param count how many stacks to take
   * @param indices where the results go
   */
  public void intern(int[] locations, int[] bounds, int count, int[] indices) {
    sequences.intern(locations, bounds, count, indices);
  }

  /** Number of frames. */
  public int depth(int index) {
    return sequences.length(index);
  }

  /** The location at a position, 0 the leaf. {@code Stack.location_indices}. */
  public int location(int index, int position) {
    return sequences.element(index, position);
  }

  /** Copies all locations, leaf first, to the start of a target of at least that depth. */
  public void copy(int index, int[] target) {
    sequences.copy(index, target);
  }

  /** Where a stack ends among the frames of all, which lie one behind the other from stack 1 on. */
  public int end(int index) {
    return sequences.end(index);
  }

  /**
   * Copies the locations of several stacks, which is faster than one by one.
   *
   * @param from where the first begins: {@link #end} of the one before it
   * @param to where the last ends
   * @param target gets them from its start on, each stack leaf first
   */
  public void copyLocations(int from, int to, int[] target) {
    sequences.copyElements(from, to, target);
  }

  /** About how many bytes the stacks take. */
  long bytes() {
    return sequences.bytes();
  }

  void clear() {
    sequences.clear();
  }
}
