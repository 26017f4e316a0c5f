package org.buftrail.report;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws merged paths as an ASCII tree with a table of counts to its left.
 *
 * <p>A run of hops without a fork goes straight down; only forks indent, so a path of a hundred
 * hops stays on the screen.
 */
final class TreeText {
  private final Appendable out;
  private final int width;
  private boolean hasDropped;

  /** A node that waits to be drawn. */
  private static final class Line {
    private final FlowNode node;
    private final String before;
    private final String below;

    Line(FlowNode node, String before, String below) {
      this.node = node;
      this.before = before;
      this.below = below;
    }
  }

  /**
   * @param passed the largest figure that will be shown
   */
  TreeText(Appendable out, long passed) {
    this.out = out;
    this.width = Math.max("released".length(), Wording.count(passed).length());
  }

  void write(FlowTree tree) throws IOException {
    hasDropped = tree.top().allDropped().count() > 0;
    cell("passed");
    cell("released");
    cell("leaked");
    if (hasDropped) {
      cell("dropped");
    }
    cell("live");
    out.append("  path [reference count]\n");
    boolean first = true;
    for (FlowNode root : tree.top().children()) {
      out.append(first ? "" : "\n");
      first = false;
      subtree(root);
    }
    cut(tree.top(), "");
  }

  private void subtree(FlowNode root) throws IOException {
    Deque<Line> waiting = new ArrayDeque<>();
    waiting.push(new Line(root, "", ""));
    while (!waiting.isEmpty()) {
      Line line = waiting.pop();
      node(line);
      cut(line.node, line.below);
      pushChildren(waiting, line.node, line.below);
    }
  }

  private static void pushChildren(Deque<Line> waiting, FlowNode node, String indent) {
    List<FlowNode> children = node.children();
    boolean fork = children.size() > 1 || node.rest() != null;
    for (int i = children.size() - 1; i >= 0; i--) {
      boolean last = i == children.size() - 1;
      waiting.push(
          new Line(
              children.get(i),
              fork ? indent + "+- " : indent,
              fork ? indent + (last ? "   " : "|  ") : indent));
    }
  }

  private void node(Line line) throws IOException {
    FlowNode node = line.node;
    cell(Wording.count(node.passed()));
    cell(node.released().count());
    cell(node.leaked().count());
    dropped(node.dropped());
    cell(node.live().count());
    out.append("  ").append(line.before).append(Wording.shortPlace(node.hop()));
    out.append(" [").append(Wording.ascii(node.hop().refs())).append(']');
    out.append(Wording.returned(node.hop()));
    if (node.hop().isLoop()) {
      out.append(" (loop)");
    }
    if (node.hop().isOverflow()) {
      out.append(" (OVERFLOW: all that lay past a bound)");
    }
    if (node.leaked().count() > 0) {
      out.append("  <== LEAK ").append(Wording.severity(node.isDirectLeak()));
    }
    bytes(", ", node.leaked());
    if (node.held() > 0) {
      out.append(", ").append(Wording.holding(node.held()));
    }
    bytes("  dropped ", node.dropped());
    bytes("  live ", node.live());
    bytes("  released ", node.released());
    out.append('\n');
  }

  /** Most resources have none. */
  private void bytes(String what, FlowNode.Sum sum) throws IOException {
    if (sum.bytes() > 0) {
      out.append(what).append(Wording.bytes(sum.bytes()));
    }
  }

  private void cut(FlowNode parent, String indent) throws IOException {
    FlowNode.@Nullable Rest rest = parent.rest();
    if (rest == null) {
      return;
    }
    cell(Wording.count(rest.passed()));
    cell("-");
    cell(rest.leaked().count());
    dropped(rest.dropped());
    cell(rest.live().count());
    out.append("  ").append(indent).append("... ").append(Wording.count(rest.branches()));
    out.append(rest.branches() == 1 ? " branch" : " branches").append(" not shown");
    if (rest.leaked().count() > 0) {
      out.append(", leaked ").append(Wording.bytes(rest.leaked().bytes()));
    }
    if (rest.live().count() > 0) {
      out.append(", live ").append(Wording.bytes(rest.live().bytes()));
    }
    out.append('\n');
  }

  private void dropped(FlowNode.Sum dropped) throws IOException {
    if (hasDropped) {
      cell(dropped.count());
    }
  }

  private void cell(long count) throws IOException {
    cell(count == 0 ? "-" : Wording.count(count));
  }

  private void cell(String text) throws IOException {
    for (int i = text.length(); i < width + 2; i++) {
      out.append(' ');
    }
    out.append(text);
  }
}
