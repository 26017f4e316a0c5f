package org.buftrail.profile.html;

import java.util.Arrays;
import java.util.List;
import org.buftrail.profile.trie.FrameTrie;

/**
 * Which nodes of a trie a page can hold: the largest, by their share of the profile where they
 * matter most. Values of the others count for their nearest caller that stays.
 */
final class Folding {
  private final FrameTrie kept = new FrameTrie();

  /** New node by old node; of folded ones, their nearest caller's. */
  private final int[] target;

  /**
   * @param selves the values of each node itself, one array a profile
   * @param maxNodes how many nodes stay at most
   * @param leastShare the part of a profile that those have
   */
  Folding(FrameTrie trie, List<long[]> selves, int maxNodes, double leastShare) {
    boolean isAll = trie.size() <= maxNodes && leastShare <= 0;
    double[] shares = isAll ? new double[trie.size()] : shares(trie, selves);
    double threshold = trie.size() > maxNodes ? threshold(shares, maxNodes) : -1;
    target = new int[trie.size()];
    for (int node = 0; node < target.length; node++) {
      int parent = trie.parent(node);
      int newParent = parent == FrameTrie.NONE ? FrameTrie.NONE : target[parent];
      boolean isLarge = shares[node] > threshold && shares[node] >= leastShare;
      boolean stays = isLarge || parent == FrameTrie.NONE;
      target[node] = stays ? kept.child(newParent, trie.label(node)) : newParent;
    }
  }

  /** A caller's share is never smaller than that of what it calls, so no node loses its caller. */
  private static double[] shares(FrameTrie trie, List<long[]> selves) {
    double[] shares = new double[trie.size()];
    double[] totals = new double[trie.size()];
    for (long[] self : selves) {
      Arrays.setAll(totals, i -> self[i]);
      double sum = 0;
      for (int node = totals.length - 1; node >= 0; node--) {
        int parent = trie.parent(node);
        if (parent == FrameTrie.NONE) {
          sum += totals[node];
        } else {
          totals[parent] += totals[node];
        }
      }
      for (int node = 0; node < shares.length; node++) {
        shares[node] = Math.max(shares[node], sum == 0 ? 0 : totals[node] / sum);
      }
    }
    return shares;
  }

  private static double threshold(double[] shares, int maxNodes) {
    double[] sorted = shares.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length - maxNodes];
  }

  /** The trie of the nodes that stay. */
  FrameTrie trie() {
    return kept;
  }

  /** How many nodes do not. */
  int folded() {
    return target.length - kept.size();
  }

  /** The node that an old node became, or that of its nearest caller. */
  int target(int node) {
    return target[node];
  }

  /** Values of nodes, moved to those that stay. */
  long[] moved(long[] self) {
    long[] moved = new long[kept.size()];
    for (int node = 0; node < self.length; node++) {
      moved[target[node]] += self[node];
    }
    return moved;
  }

  /** As {@link #moved(long[])}. */
  double[] moved(double[] self) {
    double[] moved = new double[kept.size()];
    for (int node = 0; node < self.length; node++) {
      moved[target[node]] += self[node];
    }
    return moved;
  }
}
