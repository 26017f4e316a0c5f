package org.buftrail.flow.tree;

/** Takes what was counted at a node. */
public interface CountsByNode {
  void add(int node, long count, long bytes);
}
