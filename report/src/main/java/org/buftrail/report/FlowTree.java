package org.buftrail.report;

import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;

/**
 * The paths of a snapshot merged by common prefix.
 *
 * <p>All counts are of all paths. Only the worst paths have nodes; of the others, each node knows
 * the sums of what leaves it towards places that are not shown. So a hundred thousand paths need no
 * more memory than those that are drawn.
 */
final class FlowTree {
  /** Stands above the roots; never shown. */
  private static final Path.Hop TOP = new Path.Hop(new Site("", "", "", 0, ""), "", false, false);

  private final FlowNode top = new FlowNode(TOP);

  /**
   * @param sorted as {@link PathOrder#sorted} gives them
   * @param maxPaths how many of them are kept
   */
  FlowTree(List<Path> sorted, int maxPaths) {
    int n = 0;
    for (Path path : sorted) {
      if (n++ < maxPaths) {
        keep(path);
      } else {
        count(path);
      }
    }
  }

  static FlowTree of(Snapshot snapshot, int maxPaths) {
    return new FlowTree(PathOrder.sorted(snapshot), maxPaths);
  }

  private void keep(Path path) {
    FlowNode node = top;
    node.add(path, false);
    List<Path.Hop> hops = ShownHops.of(path.hops());
    int left = hops.size();
    for (Path.Hop hop : hops) {
      node = node.child(hop);
      node.add(path, --left == 0);
    }
  }

  /** Goes along kept paths as far as they lead. */
  private void count(Path path) {
    FlowNode node = top;
    node.add(path, false);
    List<Path.Hop> hops = ShownHops.of(path.hops());
    int left = hops.size();
    for (Path.Hop hop : hops) {
      FlowNode next = node.childIfKept(hop);
      if (next == null) {
        node.cut(hop, path);
        return;
      }
      node = next;
      node.add(path, --left == 0);
    }
  }

  /** The node above all roots. */
  FlowNode top() {
    return top;
  }
}
