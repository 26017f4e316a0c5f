package org.buftrail.report;

import java.io.IOException;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;

/**
 * Collapsed stacks, {@code root;...;leaf count}: one line for each path and fate.
 *
 * <p>Flows that leaked, leaked within others, were dropped or are live end in the frame {@code
 * [leaked]}, {@code [held]}, {@code [dropped]} or {@code [live]}, so any flame-graph tool shows
 * them apart; released ones end in the release itself.
 */
final class CollapsedReport {
  private CollapsedReport() {}

  static void write(Snapshot snapshot, Appendable out) throws IOException {
    for (Path path : PathOrder.sorted(snapshot)) {
      line(path, path.leaked().count(), ";[leaked]", out);
      line(path, path.held(), ";[held]", out);
      line(path, path.dropped().count(), ";[dropped]", out);
      line(path, path.live().count(), ";[live]", out);
      line(path, path.released().count(), "", out);
    }
  }

  private static void line(Path path, long count, String fate, Appendable out) throws IOException {
    if (count == 0) {
      return;
    }
    String separator = "";
    for (Path.Hop hop : path.hops()) {
      out.append(separator).append(frame(hop));
      separator = ";";
    }
    out.append(fate).append(' ').append(Long.toString(count)).append('\n');
  }

  /** Names that could be taken for the format's own marks get none of them. */
  private static String frame(Path.Hop hop) {
    return Wording.ascii(hop.site().toString()).replace(';', ':').replace(' ', '_');
  }
}
