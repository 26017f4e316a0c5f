package org.buftrail.report;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;

/** The misuses of released buffers, as text for a person. */
final class MisuseText {
  /** Misuses shown with their paths. */
  static final int MAX = 20;

  private MisuseText() {}

  static void write(Snapshot snapshot, Appendable out) throws IOException {
    List<Misuse> misuses = PathOrder.misuses(snapshot);
    if (misuses.isEmpty()) {
      return;
    }
    out.append("\nRELEASED ALREADY, most frequent first\n");
    for (Misuse misuse : misuses.subList(0, Math.min(MAX, misuses.size()))) {
      out.append("  ").append(Wording.count(misuse.count())).append(" x ");
      out.append(misuse.kind().text()).append(" at ");
      out.append(Wording.ascii(misuse.site().toString())).append('\n');
      path("the release came first on", misuse.hops(), out);
      for (String sentence : EvidenceText.sentences(misuse)) {
        out.append("    ").append(sentence).append('\n');
      }
      if (!misuse.earlier().isEmpty()) {
        path("the same object had been released before on", misuse.earlier(), out);
      }
    }
    if (misuses.size() > MAX) {
      out.append("  ... ").append(Wording.count(misuses.size() - MAX)).append(" more not shown\n");
    }
  }

  private static void path(String says, List<Path.Hop> hops, Appendable out) throws IOException {
    out.append("    ").append(says).append('\n');
    for (Path.Hop hop : ShownHops.of(hops)) {
      out.append("      ").append(Wording.right(Wording.ascii(hop.refs()), 4)).append("  ");
      out.append(Wording.fullPlace(hop)).append(Wording.returned(hop)).append('\n');
    }
  }
}
