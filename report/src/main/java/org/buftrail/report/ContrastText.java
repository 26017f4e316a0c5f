package org.buftrail.report;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Contrast;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/**
 * What became of flows that came the same way as a leak, or to its last hop by other ways, as one
 * sentence without its full stop. Thread-safe.
 */
public final class ContrastText {
  private ContrastText() {}

  /**
   * Returns a sentence for each of {@code leaks}, in their order; null where the evidence is weak.
   *
   * @param all paths of a snapshot without sampling, with what was released on them
   */
  public static List<@Nullable String> sentences(List<Path> leaks, List<Path> all) {
    Contrast contrast = new Contrast(leaks, all, 1);
    List<@Nullable String> sentences = new ArrayList<>();
    for (Path leak : leaks) {
      sentences.add(sentence(contrast, leak));
    }
    return sentences;
  }

  /** Sorts the released flows among {@code paths} by the ways of the leaks among them. */
  static Contrast of(List<Path> paths, int sampling) {
    List<Path> leaks = new ArrayList<>();
    for (Path path : paths) {
      if (path.leaked().count() > 0) {
        leaks.add(path);
      }
    }
    return new Contrast(leaks, paths, sampling);
  }

  /** Returns the sentence about a leak of {@link #of}; null where the evidence is weak. */
  static @Nullable String sentence(Contrast contrast, Path leak) {
    long count = leak.leaked().count();
    Contrast.Parting parting = contrast.of(leak, count);
    if (parting == null) {
      return null;
    }
    Site only = parting.onlyLeaked();
    if (only != null) {
      return byOtherWays(parting, only, leak);
    }
    String these = count == 1 ? "this one" : "these " + Wording.count(count);
    String last = Wording.fullPlace(Wording.last(leak));
    return Wording.flows(parting.released())
        + " that came the same way to "
        + place(parting.site())
        + (parting.released() == 1 ? " was " : " were ")
        + (leak.resource() == null ? "released" : "closed")
        + lastSeen(parting)
        + "; "
        + these
        + (parting.isLast() ? "" : " went on to " + last + " and")
        + (count == 1 ? " was not" : " were not");
  }

  private static String byOtherWays(Contrast.Parting parting, Site only, Path leak) {
    long count = leak.leaked().count();
    return Wording.flows(parting.released())
        + " that came to "
        + place(parting.site())
        + " too "
        + (parting.released() == 1 ? "was " : "were ")
        + (leak.resource() == null ? "released" : "closed")
        + lastSeen(parting)
        + ", none by way of "
        + place(only)
        + "; "
        + (count == 1
            ? "this one came that way and was not"
            : "these " + Wording.count(count) + " all came that way and were not");
  }

  private static String lastSeen(Contrast.Parting parting) {
    Site place = parting.place();
    if (place == null) {
      return "";
    }
    String some =
        parting.placed() == parting.released()
            ? ", last seen "
            : ", " + Wording.count(parting.placed()) + " of them last seen ";
    return some + (place.equals(parting.site()) ? "there too" : "in " + place(place));
  }

  private static String place(Site site) {
    return Wording.fullPlace(site);
  }
}
