package org.buftrail.profile.trie;

import org.buftrail.profile.dictionary.KeyTable;

/**
 * Stacks merged by common prefix: nodes with a parent and a label, numbered so that parents come
 * before their children. 22 to 28 bytes a node. Belongs to one thread.
 */
public final class FrameTrie {
  /** The parent of the roots. */
  public static final int NONE = -1;

  // Parents are counted from 1, so that 0 stands for none.
  private final KeyTable nodes = new KeyTable();

  /** Makes an empty trie. */
  public FrameTrie() {}

  /** Number of nodes. */
  public int size() {
    return nodes.size();
  }

  /** The parent of a node, or {@link #NONE}. */
  public int parent(int node) {
    return nodes.stack(node) - 1;
  }

  /** The label of a node. */
  public int label(int node) {
    return nodes.attributeSet(node);
  }

  /**
   * The child of a node with a label; made when it is not there yet.
   *
   * @param parent a node, or {@link #NONE} for a root
   */
  public int child(int parent, int label) {
    return nodes.intern(parent + 1, label, 0);
  }
}
