package org.buftrail.report;

import java.io.IOException;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.jspecify.annotations.Nullable;

/** What was live at the highest moment, as text for a person. */
final class PeakText {
  private static final int MAX_ROWS = 5;

  private PeakText() {}

  static void write(@Nullable Peak peak, Appendable out) throws IOException {
    if (peak == null || peak.flows().bytes() == 0) {
      return;
    }
    out.append("\nPEAK ").append(amount(peak.flows())).append(" live at ");
    out.append(Wording.time(peak.atMillis())).append(", most bytes first\n");
    int shown = Math.min(MAX_ROWS, peak.rows().size());
    long count = peak.flows().count();
    long bytes = peak.flows().bytes();
    for (Peak.Row row : peak.rows().subList(0, shown)) {
      count -= row.flows().count();
      bytes -= row.flows().bytes();
      out.append("  ").append(amount(row.flows())).append(row.isDirect() ? " direct" : " heap");
      out.append(", ").append(Wording.share(row.flows().bytes(), peak.flows().bytes()));
      out.append("\n    ");
      TreeReport.hops(row.hops(), out);
      out.append('\n');
    }
    if (count > 0) {
      out.append("  ... and ").append(amount(new Path.Flows(count, Math.max(0, bytes))));
      out.append(" on other paths\n");
    }
  }

  /** {@code 64.0 MiB in 40 buffers}. */
  static String amount(Path.Flows flows) {
    return Wording.bytes(flows.bytes())
        + " in "
        + Wording.count(flows.count())
        + (flows.count() == 1 ? " buffer" : " buffers");
  }
}
