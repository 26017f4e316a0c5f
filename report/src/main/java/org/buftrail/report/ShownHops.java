package org.buftrail.report;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.Site;

/**
 * The hops of a path as texts show them: a method that takes part twice, by its entry or a call and
 * by its return, is shown once. Thread-safe.
 *
 * <p>A return stays a hop of its own where a path ends, since there it says that the caller lost
 * what was returned, and where its method is not the hop before.
 */
public final class ShownHops {
  private ShownHops() {}

  /** Returns {@code hops} without returns that follow their own method; itself if it has none. */
  public static List<Path.Hop> of(List<Path.Hop> hops) {
    List<Path.Hop> shown = null;
    int last = hops.size() - 1;
    for (int i = 1; i < last; i++) {
      Path.Hop before = shown == null ? hops.get(i - 1) : shown.get(shown.size() - 1);
      if (isReturnOf(hops.get(i).site(), before.site())) {
        if (shown == null) {
          shown = new ArrayList<>(hops.subList(0, i));
        }
      } else if (shown != null) {
        shown.add(hops.get(i));
      }
    }
    if (shown == null) {
      return hops;
    }
    shown.add(hops.get(last));
    return shown;
  }

  /** Returns {@code SimpleClass.method:31} in printable ASCII, without the suffix of returns. */
  public static String shortPlace(Path.Hop hop) {
    return Wording.shortPlace(hop);
  }

  /**
   * Returns {@code com.example.SimpleClass.method:31} of the last hop in printable ASCII, without
   * the suffix of returns.
   */
  public static String lastPlace(Path path) {
    return Wording.fullPlace(Wording.last(path));
  }

  static boolean isReturn(Site site) {
    return site.method().endsWith(Site.RETURN_SUFFIX);
  }

  private static boolean isReturnOf(Site site, Site method) {
    return isReturn(site)
        && site.className().equals(method.className())
        && bare(site.method()).equals(bare(method.method()));
  }

  /** Returns a name without the suffix of returns at its end. */
  static String bare(String name) {
    return name.endsWith(Site.RETURN_SUFFIX)
        ? name.substring(0, name.length() - Site.RETURN_SUFFIX.length())
        : name;
  }
}
