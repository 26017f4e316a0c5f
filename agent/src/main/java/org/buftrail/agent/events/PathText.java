package org.buftrail.agent.events;

import java.util.List;
import org.buftrail.model.Path;

/** A path as one line of text. */
final class PathText {
  /** Longer lines lose their middle: an event has to fit into a buffer of the recorder. */
  static final int MAX_CHARS = 8_000;

  static final String ARROW = " > ";

  private PathText() {}

  /** {@code class.method:line > class.method:line}, root first. */
  static String of(List<Path.Hop> hops) {
    StringBuilder text = new StringBuilder();
    for (Path.Hop hop : hops) {
      text.append(text.length() == 0 ? "" : ARROW).append(hop.site());
    }
    if (text.length() <= MAX_CHARS) {
      return text.toString();
    }
    int head = text.lastIndexOf(ARROW, MAX_CHARS / 2);
    int tail = text.indexOf(ARROW, text.length() - MAX_CHARS / 2);
    return text.substring(0, Math.max(0, head)) + ARROW + "..." + text.substring(Math.max(0, tail));
  }

  static String last(List<Path.Hop> hops) {
    return hops.get(hops.size() - 1).site().toString();
  }
}
