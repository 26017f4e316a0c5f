package org.buftrail.report;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Evidence;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/**
 * What looks at the stack saw of a leak, as sentences without a full stop, where the path does not
 * say the same. Thread-safe.
 */
public final class EvidenceText {
  private EvidenceText() {}

  /** Returns one sentence for where it was asked for, and one for where it was retained last. */
  public static List<String> sentences(Path leak) {
    Evidence evidence = leak.evidence();
    if (evidence == null) {
      return List.of();
    }
    List<String> sentences = new ArrayList<>();
    add(sentences, "asked for in ", evidence.askedFor(), evidence.looks(), leak);
    add(sentences, "retained last in ", evidence.retained(), evidence.looks(), leak);
    return sentences;
  }

  private static void add(
      List<String> to, String what, List<Evidence.Place> places, long looks, Path leak) {
    Evidence.Place first = places.isEmpty() ? null : places.get(0);
    if (first == null || isSaid(first, leak)) {
      return;
    }
    StringBuilder text = new StringBuilder(what).append(place(first.nearest()));
    text.append(" (").append(Wording.count(first.looks())).append(" of ");
    text.append(Wording.count(looks)).append(looks == 1 ? " look)" : " looks)");
    Site own = first.own();
    List<Site> others =
        own == null ? first.library().subList(1, first.library().size()) : first.library();
    String separator = own == null ? ", called by " : ", through ";
    for (Site each : others) {
      text.append(separator).append(shortPlace(each));
      separator = own == null ? ", " : " < ";
    }
    separator = "; else in ";
    for (Evidence.Place other : places.subList(1, places.size())) {
      text.append(separator).append(place(other.nearest()));
      text.append(" (").append(Wording.count(other.looks())).append(')');
      separator = ", ";
    }
    to.add(text.toString());
  }

  /** Whether the path names the method, or is the application's and the look is not. */
  private static boolean isSaid(Evidence.Place place, Path leak) {
    @Nullable Site own = place.own();
    return leak.hops().stream()
        .skip(1)
        .anyMatch(hop -> own == null ? NoHops.isOfApplication(hop) : isMethod(hop.site(), own));
  }

  private static boolean isMethod(Site hop, Site own) {
    String method = hop.method();
    return hop.className().equals(own.className())
        && (method.equals(own.method()) || method.equals(own.method() + Site.RETURN_SUFFIX));
  }

  private static String shortPlace(Site site) {
    return Wording.ascii(site.hop()) + (site.line() > 0 ? ":" + site.line() : "");
  }

  private static String place(Site site) {
    return Wording.ascii(site.toString());
  }
}
