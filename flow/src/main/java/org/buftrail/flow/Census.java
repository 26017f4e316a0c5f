package org.buftrail.flow;

import java.util.List;

/** All counts at one moment, by node. Confined to the thread that takes a snapshot. */
final class Census {
  final Totals released = new Totals(Trie.INSTANCE.size());
  final Leaks leaks = new Leaks();
  final Totals dropped = new Totals(Trie.INSTANCE.size());
  final Totals held = new Totals(Trie.INSTANCE.size());
  final LiveAges live;
  long allocated;

  /**
   * Counts what is live and what has leaked.
   *
   * @param pending elders that may have been overwritten
   * @param now tick of the moment
   */
  Census(List<Elder> pending, ElderTable table, int now) {
    live = new LiveAges(pending.size() + table.all().size());
    for (Elder elder : pending) {
      Trail buffer = elder.strong;
      if (buffer != null && buffer.stateOpaque() == elder && !elder.isOver(buffer)) {
        if (buffer.isHeld()) {
          add(elder, buffer.bytes(), now - elder.born);
        } else if (!elder.kept) {
          // Its release is being told of, or will be found out: see Nursery.
          released.add(elder.node.end().id, 1, buffer.bytes());
        }
      }
    }
    for (Elder elder : table.all()) {
      if (!elder.isEnded()) {
        add(elder, elder.bytes, now - elder.born);
      }
    }
    live.sort();
    leaks.addAll(table.leaks);
    dropped.addAll(table.dropped);
    held.addAll(table.held);
    allocated -= table.collectedKept();
  }

  /** A flow that is under way; one that is kept is nobody's, as if it had never begun. */
  private void add(Elder elder, long capacity, int ageTicks) {
    if (elder.kept) {
      allocated--;
    } else {
      live.add(elder.node.id, ageTicks, capacity);
    }
  }
}
