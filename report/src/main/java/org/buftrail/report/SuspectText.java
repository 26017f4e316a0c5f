package org.buftrail.report;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;

/** What looks like a leak before a collection has proved it, as text for a person. */
public final class SuspectText {
  private static final int MAX = 5;

  private SuspectText() {}

  static void write(Snapshot snapshot, Appendable out) throws IOException {
    List<Suspects.Suspect> suspects = Suspects.of(snapshot);
    if (suspects.isEmpty()) {
      return;
    }
    out.append("\nSUSPECTS: live, growing and not released as others are; a collection decides\n");
    for (Suspects.Suspect suspect : suspects.subList(0, Math.min(MAX, suspects.size()))) {
      Path path = suspect.path();
      out.append("  ").append(Wording.flowsAndBytes(path.live())).append(" live in ");
      out.append(Wording.fullPlace(path.hops().get(path.hops().size() - 1)));
      out.append(Wording.parts(path)).append('\n');
      String what = EvidenceText.live(path);
      if (what != null) {
        out.append("    ").append(what).append('\n');
      }
      out.append("    ").append(Wording.count(suspect.arrived())).append(" in, ");
      out.append(Wording.count(suspect.gone())).append(" out; oldest ");
      out.append(Wording.age(path.oldestMillis()));
      Site sibling = suspect.sibling();
      if (sibling != null) {
        out.append("; siblings release in ").append(Wording.fullPlace(sibling));
      }
      out.append("\n    ").append(lifetimes(suspect)).append('\n');
    }
    if (suspects.size() > MAX) {
      out.append("  ... ").append(Wording.count(suspects.size() - MAX)).append(" more not shown\n");
    }
  }

  /** How old the live ones are, and how long others lived: why a path is suspect. */
  public static String lifetimes(Suspects.Suspect suspect) {
    Path path = suspect.path();
    String ages = "half of these are older than " + Wording.age(path.medianMillis());
    ReleaseSamples others = suspect.others();
    if (others == null) {
      return ages + "; no release of others was sampled";
    }
    return "others are released within "
        + within(others, 50)
        + " (p99 "
        + within(others, 99)
        + ", "
        + Wording.count(others.count())
        + (others.count() == 1 ? " sample); " : " samples); ")
        + ages;
  }

  private static String within(ReleaseSamples samples, int percent) {
    long micros = samples.microsOf(percent);
    return micros < 10_000_000 ? Math.max(1, micros / 1_000) + " ms" : Wording.age(micros / 1_000);
  }
}
