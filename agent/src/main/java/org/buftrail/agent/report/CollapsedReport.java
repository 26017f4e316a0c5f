package org.buftrail.agent.report;

import java.io.IOException;
import org.buftrail.flow.Path;
import org.buftrail.flow.Snapshot;

/**
 * Collapsed stacks, {@code root;...;leaf count}: one line for each path and fate.
 *
 * <p>Flows that leaked or are live end in the frame {@code [leaked]} or {@code [live]}, so any
 * flame-graph tool shows them apart; released ones end in the release itself.
 */
final class CollapsedReport {
  private CollapsedReport() {}

  static void write(Snapshot snapshot, Appendable out) throws IOException {
    for (Path path : PathOrder.sorted(snapshot)) {
      line(path, path.leaked(), ";[leaked]", out);
      line(path, path.live(), ";[live]", out);
      line(path, path.released(), "", out);
    }
  }

  private static void line(Path path, Path.Flows flows, String fate, Appendable out)
      throws IOException {
    if (flows.count() == 0) {
      return;
    }
    String separator = "";
    for (Path.Hop hop : path.hops()) {
      out.append(separator).append(frame(hop));
      separator = ";";
    }
    out.append(fate).append(' ').append(Long.toString(flows.count())).append('\n');
  }

  /** Names that could be taken for the format's own marks get none of them. */
  private static String frame(Path.Hop hop) {
    return Wording.fullPlace(hop).replace(';', ':').replace(' ', '_');
  }
}
