package org.buftrail.flow;

/** All counts at one moment, by node. Confined to the thread that takes a snapshot. */
final class Census {
  final Totals released = new Totals(Trie.INSTANCE.size());
  final Leaks leaks = new Leaks();
  final LiveAges live;
  long allocated;

  /**
   * @param expected flows that are live, about
   */
  Census(int expected) {
    this.live = new LiveAges(expected);
  }

  /** A flow that is under way; one that is kept is nobody's, as if it had never begun. */
  void live(Elder elder, long capacity, int ageTicks) {
    if (elder.kept) {
      allocated--;
    } else {
      live.add(elder.node.id, ageTicks, capacity);
    }
  }
}
