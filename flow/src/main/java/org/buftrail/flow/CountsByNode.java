package org.buftrail.flow;

/** Takes what was counted at a node. */
interface CountsByNode {
  void add(int node, long count, long bytes);
}
