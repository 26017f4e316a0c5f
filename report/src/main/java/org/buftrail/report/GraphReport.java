package org.buftrail.report;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The merged paths as a graph, for Graphviz ({@code .dot}) or Mermaid ({@code .mmd}).
 *
 * <p>Nodes are hops with their counts, edges say how many flows went that way; hops where flows
 * leaked are red. The worst paths are drawn, the rest of each hop's branches is one grey node.
 */
final class GraphReport {
  /** Mermaid draws no more than 500 edges and becomes unreadable long before. */
  static final int MAX_MERMAID_PATHS = 40;

  static final int MAX_DOT_PATHS = 200;

  private final Notation notation;
  private final Appendable out;
  private int nodes;

  /** What the two languages write differently. */
  private interface Notation {
    /**
     * Writes a node and the edge that leads to it.
     *
     * @param parent the node that the edge comes from, or {@link #NONE}
     * @param passed the label of the edge
     */
    void node(Appendable out, int parent, String passed, int id, String[] lines, String style)
        throws IOException;
  }

  /** The parent of a root. */
  private static final int NONE = -1;

  /** A node whose children are to be drawn. */
  private static final class Drawn {
    private final FlowNode node;
    private final int id;

    Drawn(FlowNode node, int id) {
      this.node = node;
      this.id = id;
    }
  }

  private GraphReport(Notation notation, Appendable out) {
    this.notation = notation;
    this.out = out;
  }

  static void dot(Snapshot snapshot, Appendable out) throws IOException {
    out.append("digraph flows {\n");
    out.append("  node [shape=box, style=filled, fillcolor=white, fontname=\"Helvetica\"];\n");
    out.append("  edge [fontname=\"Helvetica\", color=gray40];\n");
    new GraphReport(new Dot(), out).draw(snapshot, MAX_DOT_PATHS);
    out.append("}\n");
  }

  static void mermaid(Snapshot snapshot, Appendable out) throws IOException {
    out.append("flowchart TD\n");
    Mermaid mermaid = new Mermaid();
    new GraphReport(mermaid, out).draw(snapshot, MAX_MERMAID_PATHS);
    mermaid.styles(out);
  }

  private void draw(Snapshot snapshot, int maxPaths) throws IOException {
    String stopped = StatusText.stopped(snapshot.status());
    if (stopped != null) {
      notation.node(out, NONE, "", nodes++, new String[] {stopped}, "leak");
    }
    String undecided = StatusText.undecided(snapshot.status());
    if (undecided != null) {
      notation.node(out, NONE, "", nodes++, new String[] {undecided}, "live");
    }
    FlowTree tree = FlowTree.of(snapshot, maxPaths);
    Deque<Drawn> waiting = new ArrayDeque<>();
    for (FlowNode root : tree.top().children()) {
      waiting.add(new Drawn(root, node(root, NONE)));
    }
    rest(tree.top(), NONE);
    while (!waiting.isEmpty()) {
      Drawn parent = waiting.remove();
      for (FlowNode child : parent.node.children()) {
        waiting.add(new Drawn(child, node(child, parent.id)));
      }
      rest(parent.node, parent.id);
    }
  }

  private int node(FlowNode node, int parent) throws IOException {
    int id = nodes++;
    Path.Hop hop = node.hop();
    String refs = " [" + Wording.ascii(hop.refs()) + ']';
    String place = Wording.shortPlace(hop) + refs + Wording.returned(hop);
    StringBuilder fate = new StringBuilder();
    fate(fate, "LEAKED ", node.leaked());
    if (node.held() > 0) {
      fate.append(", ").append(Wording.holding(node.held()));
    }
    fate(fate, "dropped ", node.dropped());
    fate(fate, "live ", node.live());
    fate(fate, "released ", node.released());
    String style = node.leaked().count() > 0 ? "leak" : node.live().count() > 0 ? "live" : "";
    String[] lines = fate.length() == 0 ? new String[] {place} : new String[] {place, fate + ""};
    notation.node(out, parent, Wording.count(node.passed()), id, lines, style);
    return id;
  }

  private static void fate(StringBuilder text, String name, FlowNode.Sum sum) {
    if (sum.count() > 0) {
      text.append(text.length() == 0 ? "" : "; ").append(name);
      text.append(Wording.flowsAndBytes(sum.flows()));
    }
  }

  private void rest(FlowNode parent, int parentId) throws IOException {
    FlowNode.@Nullable Rest rest = parent.rest();
    if (rest == null) {
      return;
    }
    int id = nodes++;
    int branches = rest.branches();
    String text =
        Wording.count(branches) + (branches == 1 ? " branch" : " branches") + " not shown";
    String passed = Wording.count(rest.passed());
    notation.node(out, parentId, passed, id, new String[] {text}, "rest");
  }

  /** Graphviz. */
  private static final class Dot implements Notation {
    @Override
    public void node(
        Appendable out, int parent, String passed, int id, String[] lines, String style)
        throws IOException {
      String label = String.join("\n", lines).replace("\\", "\\\\").replace("\"", "\\\"");
      out.append("  n").append(Integer.toString(id)).append(" [label=\"");
      out.append(label.replace("\n", "\\n")).append('"');
      switch (style) {
        case "leak":
          out.append(", fillcolor=\"#f8d7da\", color=\"#b02a37\", penwidth=2");
          break;
        case "live":
          out.append(", fillcolor=\"#fff3cd\", color=\"#997404\"");
          break;
        case "rest":
          out.append(", fillcolor=\"#e9ecef\", color=\"#adb5bd\"");
          break;
        default:
      }
      out.append("];\n");
      if (parent != NONE) {
        out.append("  n").append(Integer.toString(parent)).append(" -> n");
        out.append(Integer.toString(id)).append(" [label=\"").append(passed).append("\"];\n");
      }
    }
  }

  /** Mermaid, with an edge and the node that it leads to on one line. */
  private static final class Mermaid implements Notation {
    private static final String[][] STYLES = {
      {"leak", "fill:#f8d7da,stroke:#b02a37,color:#58151c"},
      {"live", "fill:#fff3cd,stroke:#997404,color:#332701"},
      {"rest", "fill:#e9ecef,stroke:#adb5bd,color:#495057"}
    };

    private final Set<String> used = new HashSet<>();

    @Override
    public void node(
        Appendable out, int parent, String passed, int id, String[] lines, String style)
        throws IOException {
      used.add(style);
      out.append("  n");
      if (parent != NONE) {
        out.append(Integer.toString(parent)).append(" -->|").append(passed).append("| n");
      }
      out.append(Integer.toString(id)).append("[\"");
      for (int i = 0; i < lines.length; i++) {
        out.append(i == 0 ? "" : "<br/>").append(entities(lines[i]));
      }
      out.append("\"]").append(style.isEmpty() ? "" : ":::" + style).append('\n');
    }

    /** Says how nodes with a style look, at the end. */
    void styles(Appendable out) throws IOException {
      for (String[] style : STYLES) {
        if (used.contains(style[0])) {
          out.append("  classDef ").append(style[0]).append(' ').append(style[1]).append('\n');
        }
      }
    }

    /** Mermaid's own escapes: {@code <init>} must not become markup. */
    private static String entities(String s) {
      return s.replace("#", "#35;")
          .replace("\"", "#quot;")
          .replace("<", "#lt;")
          .replace(">", "#gt;")
          .replace("`", "#96;");
    }
  }
}
