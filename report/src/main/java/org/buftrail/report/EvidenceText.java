package org.buftrail.report;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Evidence;
import org.buftrail.model.Evidence.Kind;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/**
 * What looks at the stack saw of a leak and what its last method does with it, as sentences without
 * a full stop, where the path does not say the same. Thread-safe.
 */
public final class EvidenceText {
  /** How names begin that are spoken with a vowel. */
  private static final List<String> OF_VOWEL = List.of("A", "E", "I", "O", "Http", "Mqtt");

  /** Methods that release, of a class that collects. */
  private static final int MAX_RELEASING = 3;

  private EvidenceText() {}

  /**
   * Returns a sentence each for the collection that it may be in, what leaked as people count it,
   * what it was handed to last, where it was retained last, and where it was asked for: what
   * happened last comes first.
   */
  public static List<String> sentences(Path leak) {
    List<String> sentences = new ArrayList<>();
    String collected = collected(leak);
    if (collected != null) {
      sentences.add(collected);
    }
    Evidence evidence = leak.evidence();
    if (evidence != null) {
      addSentences(leak, evidence, sentences);
    }
    return sentences;
  }

  private static void addSentences(Path leak, Evidence evidence, List<String> sentences) {
    // In a test, what is left over may be live yet.
    long leaked = leak.leaked().count() > 0 ? leak.leaked().count() : leak.live().count();
    String what = what(evidence, leaked, leak.held());
    if (what != null) {
      sentences.add(what);
    }
    List<Evidence.Place> handed = evidence.places(Kind.HANDED);
    if (!handed.isEmpty() && !isPassed(handed.get(0), leak)) {
      sentences.add(handed("handed last to ", handed, evidence.looks()));
    }
    List<Evidence.Place> retained = unsaid(evidence.places(Kind.RETAINED), leak);
    if (!retained.isEmpty()) {
      sentences.add(sentence("retained last in ", retained, "; else in ", evidence.looks()));
    }
    List<Evidence.Place> asked = evidence.places(Kind.ASKED_FOR);
    if (!asked.isEmpty() && !isSaid(asked.get(0), leak)) {
      sentences.add(sentence("asked for in ", asked, "; else in ", evidence.looks()));
    }
  }

  /**
   * Says that the last method can put buffers into a collection, and which of its class release. It
   * may return before it does, which would be the mistake.
   */
  private static @Nullable String collected(Path leak) {
    return collected("that method can put buffers into a collection", leak);
  }

  private static @Nullable String collected(String what, Path path) {
    List<Path.Hop> hops = path.hops();
    Site last = hops.get(hops.size() - 1).site();
    List<String> releasing = last.collects();
    if (releasing == null) {
      return null;
    }
    StringBuilder text = new StringBuilder(what);
    String separator = "; " + simple(last.className()) + " releases in ";
    for (String method : releasing.subList(0, Math.min(MAX_RELEASING, releasing.size()))) {
      text.append(separator).append(Wording.ascii(method));
      separator = ", ";
    }
    if (releasing.size() > MAX_RELEASING) {
      text.append(" and others");
    }
    return text.toString();
  }

  /**
   * Returns what the live flows of a path are as people count them, and the collection that they
   * may be in; null where neither is known.
   */
  public static @Nullable String live(Path path) {
    String collected =
        path.live().count() == 0
            ? null
            : collected("perhaps in a collection that the last method fills", path);
    Evidence seen = path.liveEvidence();
    long parts = path.liveParts();
    String what = seen == null ? null : what(seen, Math.max(1, path.live().count() - parts), parts);
    return collected == null || what == null
        ? (what == null ? collected : what)
        : what + "; " + collected;
  }

  /**
   * Returns {@code a FullHttpRequest, 3 buffers (1 of 1 look)}, or {@code a FullHttpRequest each,
   * 15 buffers in all (5 of 5 looks)}; null where no message was seen.
   */
  private static @Nullable String what(Evidence evidence, long things, long parts) {
    List<Evidence.Place> messages = evidence.places(Kind.MESSAGE);
    if (messages.isEmpty()) {
      return null;
    }
    Evidence.Place most = messages.get(0);
    StringBuilder text = new StringBuilder(type(most));
    text.append(things > 1 && most.looks() == evidence.looks() ? " each" : "");
    if (parts > 0) {
      text.append(", ").append(Wording.count(things + parts)).append(" buffers");
      text.append(things > 1 ? " in all" : "");
    }
    text.append(share(most, evidence.looks()));
    String separator = "; else ";
    for (Evidence.Place other : messages.subList(1, messages.size())) {
      text.append(separator).append(type(other));
      text.append(" (").append(Wording.count(other.looks())).append(')');
      separator = ", ";
    }
    return text.toString();
  }

  /** {@code a FullHttpRequest}, {@code an HttpContent}. */
  private static String type(Evidence.Place message) {
    String simple = simple(message.nearest().className());
    return (OF_VOWEL.stream().anyMatch(simple::startsWith) ? "an " : "a ") + simple;
  }

  private static String simple(String name) {
    return Wording.ascii(
        name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1));
  }

  private static String share(Evidence.Place place, long looks) {
    return " ("
        + Wording.count(place.looks())
        + " of "
        + Wording.count(looks)
        + (looks == 1 ? " look)" : " looks)");
  }

  /** Returns a sentence for where misused buffers were released, and one for what had them last. */
  static List<String> sentences(Misuse misuse) {
    Evidence evidence = misuse.evidence();
    if (evidence == null) {
      return List.of();
    }
    List<String> sentences = new ArrayList<>();
    List<Evidence.Place> released = evidence.places(Kind.RELEASED);
    if (!released.isEmpty()) {
      sentences.add(sentence("released first in ", released, "; else in ", evidence.looks()));
    }
    List<Evidence.Place> handed = evidence.places(Kind.HANDED);
    if (!handed.isEmpty()) {
      sentences.add(handed("handed before that to ", handed, evidence.looks()));
    }
    return sentences;
  }

  /** The frames of libraries alone, where the path ends with their retain and names the rest. */
  private static List<Evidence.Place> unsaid(List<Evidence.Place> retained, Path leak) {
    if (retained.isEmpty() || !isSaid(retained.get(0), leak)) {
      return retained;
    }
    Evidence.Place most = retained.get(0);
    List<Path.Hop> hops = leak.hops();
    return most.library().isEmpty() || NoHops.isOfApplication(hops.get(hops.size() - 1))
        ? List.of()
        : List.of(new Evidence.Place(null, most.library(), List.of(), most.looks()));
  }

  private static String sentence(
      String what, List<Evidence.Place> places, String elsewhere, long looks) {
    Evidence.Place first = places.get(0);
    StringBuilder text = begin(what, first, looks);
    List<Site> library = first.library();
    if (first.own() != null) {
      append(text, ", through ", " < ", library);
      append(text, ", called by ", " < ", first.callers());
    } else {
      append(text, ", called by ", ", ", library.subList(1, library.size()));
    }
    return end(text, elsewhere, places);
  }

  /** Says what had the buffers, and the call that gave it them or what had them before. */
  private static String handed(String what, List<Evidence.Place> places, long looks) {
    StringBuilder text = begin(what, places.get(0), looks);
    append(text, " by ", ", ", places.get(0).callers());
    return end(text, "; else to ", places);
  }

  private static StringBuilder begin(String what, Evidence.Place first, long looks) {
    StringBuilder text = new StringBuilder(what).append(place(first.nearest()));
    return text.append(share(first, looks));
  }

  private static String end(StringBuilder text, String elsewhere, List<Evidence.Place> places) {
    String separator = elsewhere;
    for (Evidence.Place other : places.subList(1, places.size())) {
      text.append(separator).append(place(other.nearest()));
      text.append(" (").append(Wording.count(other.looks())).append(')');
      separator = ", ";
    }
    return text.toString();
  }

  private static void append(StringBuilder text, String before, String between, List<Site> places) {
    String separator = before;
    for (Site each : places) {
      text.append(separator).append(shortPlace(each));
      separator = between;
    }
  }

  /** Whether the path names what it was handed to, or went on elsewhere in the application. */
  private static boolean isPassed(Evidence.Place handed, Path leak) {
    List<Path.Hop> hops = leak.hops();
    Site before = handed.callers().isEmpty() ? null : handed.callers().get(0);
    // A call has a line; what had the buffers before has none.
    Site giver = before == null || before.line() == 0 ? null : before;
    Path.Hop last = null;
    for (Path.Hop hop : hops.subList(1, hops.size())) {
      if (isMethod(hop.site(), handed.nearest())) {
        return true;
      }
      last = NoHops.isOfApplication(hop) ? hop : last;
    }
    return giver != null && last != null && !isMethod(last.site(), giver);
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
