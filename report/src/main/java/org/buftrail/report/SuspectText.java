package org.buftrail.report;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;

/** What looks like a leak before a collection has proved it, as text for a person. */
final class SuspectText {
  private static final int MAX = 5;

  private SuspectText() {}

  static void write(Snapshot snapshot, Appendable out) throws IOException {
    List<Suspects.Suspect> suspects = Suspects.of(snapshot);
    if (suspects.isEmpty()) {
      return;
    }
    out.append("\nSUSPECTS: live, growing and hardly released; a collection tells\n");
    for (Suspects.Suspect suspect : suspects.subList(0, Math.min(MAX, suspects.size()))) {
      Path path = suspect.path();
      out.append("  ").append(Wording.flowsAndBytes(path.live())).append(" live in ");
      out.append(Wording.fullPlace(path.hops().get(path.hops().size() - 1))).append('\n');
      out.append("    ").append(Wording.count(suspect.arrived())).append(" in, ");
      out.append(Wording.count(suspect.gone())).append(" out; oldest ");
      out.append(Wording.age(path.oldestMillis()));
      Site sibling = suspect.sibling();
      if (sibling != null) {
        out.append("; siblings release in ").append(Wording.ascii(sibling.toString()));
      }
      out.append('\n');
    }
    if (suspects.size() > MAX) {
      out.append("  ... ").append(Wording.count(suspects.size() - MAX)).append(" more not shown\n");
    }
  }
}
