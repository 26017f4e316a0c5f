package org.buftrail.flow;

/** The state of a buffer wrapped as unreleasable: it comes back to its node if it is released. */
final class Kept {
  final Node node;

  Kept(Node node) {
    this.node = node;
  }
}
