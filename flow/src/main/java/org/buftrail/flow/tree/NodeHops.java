package org.buftrail.flow.tree;

import java.util.List;
import org.buftrail.model.Path;

/** The hops that nodes stand for. */
public final class NodeHops {
  private static final String[] REFS = {"0", "1-2", "3-5", "6+"};

  private NodeHops() {}

  /** Returns the hops from the root to {@code node}, as they are now. */
  public static List<Path.Hop> upTo(Node node) {
    Path.Hop[] hops = new Path.Hop[node.depth];
    int i = hops.length;
    for (Node n = node; n != null && !n.isTop(); n = n.parent()) {
      hops[--i] = of(n, n.isLooped());
    }
    return List.of(hops);
  }

  public static Path.Hop of(Node node, boolean looped) {
    return new Path.Hop(Sites.get(node.site()), REFS[node.bucket()], looped, node.isOverflow());
  }
}
