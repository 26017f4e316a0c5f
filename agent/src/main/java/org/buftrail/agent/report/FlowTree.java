package org.buftrail.agent.report;

import java.util.List;
import org.buftrail.flow.Path;
import org.buftrail.flow.Site;
import org.buftrail.flow.Snapshot;

/**
 * The paths of a snapshot merged by common prefix.
 *
 * <p>All counts are of all paths; the worst paths are marked as kept, the rest is there for the
 * sums of what a bounded output leaves out.
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
      add(path, n++ < maxPaths);
    }
  }

  static FlowTree of(Snapshot snapshot, int maxPaths) {
    return new FlowTree(PathOrder.sorted(snapshot), maxPaths);
  }

  private void add(Path path, boolean keep) {
    FlowNode node = top;
    node.add(path, false, keep);
    int left = path.hops().size();
    for (Path.Hop hop : path.hops()) {
      node = node.child(hop);
      node.add(path, --left == 0, keep);
    }
  }

  /** The node above all roots. */
  FlowNode top() {
    return top;
  }
}
