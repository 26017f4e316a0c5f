package org.buftrail.it.states;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The graph in the languages of Graphviz and Mermaid: labels of nodes, and edges. */
final class GraphReader {
  private static final Pattern DOT_NODE = Pattern.compile("  (n\\d+) \\[label=\"(.*?)\"[,\\]].*");
  private static final Pattern DOT_EDGE = Pattern.compile("  (n\\d+) -> (n\\d+) .*");
  private static final Pattern MERMAID_NODE =
      Pattern.compile("  (?:n\\d+ -->\\|.*?\\| )?(n\\d+)\\[\"(.*?)\"\\].*");
  private static final Pattern MERMAID_EDGE =
      Pattern.compile("  (n\\d+) -->\\|.*?\\| (n\\d+)\\[.*");
  private static final Pattern FATE =
      Pattern.compile("(LEAKED|dropped|live|released) ([\\d,]+) flows?, ([\\d.]+ [KMG]?i?B)");

  private final Map<String, String> labels = new HashMap<>();
  private final Map<String, String> parents = new HashMap<>();

  private GraphReader(String text, Pattern node, Pattern edge) {
    text.lines()
        .forEach(
            line -> {
              Matcher labelled = node.matcher(line);
              if (labelled.matches()) {
                labels.put(labelled.group(1), labelled.group(2));
              }
              Matcher edged = edge.matcher(line);
              if (edged.matches()) {
                parents.put(edged.group(2), edged.group(1));
              }
            });
  }

  static Told dot(String text) {
    return new GraphReader(text, DOT_NODE, DOT_EDGE).told("\\\\n");
  }

  static Told mermaid(String text) {
    return new GraphReader(text, MERMAID_NODE, MERMAID_EDGE).told("<br/>");
  }

  private Told told(String lineBreak) {
    Told told = new Told();
    labels.forEach((id, label) -> node(id, label.split(lineBreak, -1), told));
    return told;
  }

  private void node(String id, String[] lines, Told told) {
    StatusWords.read(lines[0], told);
    if (lines.length < 2) {
      return;
    }
    boolean isRelease = Words.isRelease(lines[0]);
    String place = Words.place(isRelease ? String.valueOf(labels.get(parents.get(id))) : lines[0]);
    Matcher fate = FATE.matcher(lines[1]);
    while (fate.find()) {
      String end = fate.group(1).equals("LEAKED") ? "leaked" : fate.group(1);
      told.row(place, end, Words.count(fate.group(2)), Words.bytes(fate.group(3)));
      if (end.equals("live")) {
        told.add(place + ".rows", 1);
      }
    }
    told.row(place, "held", Words.before("more", lines[1]));
  }
}
