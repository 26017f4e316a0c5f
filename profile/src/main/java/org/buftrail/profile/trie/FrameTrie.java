package org.buftrail.profile.trie;

import java.util.Arrays;

/**
 * Stacks merged by common prefix: nodes with a parent and a label, numbered so that parents come
 * before their children. Open addressing over {@code int} arrays; 20 bytes a node. Belongs to one
 * thread.
 */
public final class FrameTrie {
  /** The parent of the roots. */
  public static final int NONE = -1;

  private int[] parents = new int[64];
  private int[] labels = new int[64];
  private int[] slots = new int[128];
  private int size;

  /** Makes an empty trie. */
  public FrameTrie() {}

  /** Number of nodes. */
  public int size() {
    return size;
  }

  /** The parent of a node, or {@link #NONE}. */
  public int parent(int node) {
    return parents[node];
  }

  /** What a node was labelled with. */
  public int label(int node) {
    return labels[node];
  }

  /**
   * The child of a node with a label; made when it is not there yet.
   *
   * @param parent a node, or {@link #NONE} for a root
   */
  public int child(int parent, int label) {
    int mask = slots.length - 1;
    int slot = hash(parent, label) & mask;
    while (slots[slot] != 0) {
      int node = slots[slot] - 1;
      if (parents[node] == parent && labels[node] == label) {
        return node;
      }
      slot = slot + 1 & mask;
    }
    slots[slot] = size + 1;
    return append(parent, label);
  }

  private int append(int parent, int label) {
    if (size == parents.length) {
      parents = Arrays.copyOf(parents, size * 2);
      labels = Arrays.copyOf(labels, size * 2);
    }
    parents[size] = parent;
    labels[size] = label;
    size++;
    if (size * 2 > slots.length) {
      rehash();
    }
    return size - 1;
  }

  private void rehash() {
    slots = new int[slots.length * 2];
    int mask = slots.length - 1;
    for (int node = 0; node < size; node++) {
      int slot = hash(parents[node], labels[node]) & mask;
      while (slots[slot] != 0) {
        slot = slot + 1 & mask;
      }
      slots[slot] = node + 1;
    }
  }

  private static int hash(int parent, int label) {
    long mixed = ((long) parent << 32 | (label & 0xFFFFFFFFL)) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) ^ (int) (mixed >>> 17);
  }
}
