package org.buftrail.report;

import java.util.LinkedHashMap;
import java.util.Map;
import org.buftrail.model.Evidence;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/** What to try when no path, or none of a leak, leads into the application. */
final class NoHops {
  private static final String BUFFER = "io.netty.buffer.ByteBuf";

  /** Packages that are named. */
  private static final int MAX_NAMED = 12;

  private NoHops() {}

  /**
   * One sentence, or null where each path that loses buffers has a hop of the application, or was
   * asked for by a method of it; where none is lost, where any path has. Null too where nothing was
   * followed, and where some paths of leaks have such a hop and there is no package to name.
   */
  static @Nullable String advice(Snapshot snapshot) {
    boolean followed = false;
    boolean leads = false;
    int leaks = 0;
    int leaksAstray = 0;
    for (Path path : snapshot.paths()) {
      boolean leadsHere =
          path.hops().stream().skip(1).anyMatch(NoHops::isOfApplication) || isAskedFor(path);
      followed |= path.resource() == null && path.flows() > 0;
      leads |= leadsHere;
      if (path.resource() == null && path.leaked().count() > 0) {
        leaks++;
        leaksAstray += leadsHere ? 0 : 1;
      }
    }
    TrackerStatus status = snapshot.status();
    if (!followed || (leaks > 0 ? leaksAstray == 0 : leads)) {
      return null;
    }
    if (leaksAstray < leaks) {
      return status.unwatched().isEmpty() ? null : some(leaksAstray, leaks) + toName(status);
    }
    return (leads ? "No path of a leak" : "No path")
        + " leads into the application: no class that the agent watches took "
        + (leads ? "what leaked" : "a buffer")
        + ". "
        + toName(status);
  }

  /** Whether most looks at the stack met the application. */
  private static boolean isAskedFor(Path path) {
    Evidence evidence = path.evidence();
    return evidence != null
        && !evidence.places(Evidence.Kind.ASKED_FOR).isEmpty()
        && evidence.places(Evidence.Kind.ASKED_FOR).get(0).own() != null;
  }

  private static String some(int astray, int leaks) {
    return astray
        + " of "
        + leaks
        + (astray == 1 ? " paths of leaks does" : " paths of leaks do")
        + " not lead into the application: no class that the agent watches took what leaked there. ";
  }

  /** Packages to choose from, where some are known to have buffers; else how to name any. */
  private static String toName(TrackerStatus status) {
    if (status.unwatched().isEmpty()) {
      return "Name your packages, and those of your framework's codecs:"
          + " include=com.example,org.codec";
    }
    Map<String, String> places = new LinkedHashMap<>();
    for (TrackerStatus.Unwatched each : status.unwatched()) {
      boolean isBelow =
          status.unwatched().stream()
              .anyMatch(other -> each.packageName().startsWith(other.packageName() + '.'));
      if (!isBelow && (places.size() < MAX_NAMED || places.containsKey(each.packageName()))) {
        places.merge(each.packageName(), each.place(), (a, b) -> a.contains(b) ? a : a + ", " + b);
      }
    }
    StringBuilder text = new StringBuilder("Classes with buffers were loaded from ");
    String separator = "";
    for (Map.Entry<String, String> each : places.entrySet()) {
      text.append(separator).append(Wording.ascii(each.getKey()));
      text.append(" (").append(Wording.ascii(each.getValue())).append(')');
      separator = ", ";
    }
    return text.append(". Name those that are yours: include=")
        .append(Wording.ascii(String.join(",", places.keySet())))
        .toString();
  }

  /** Whether a hop that is not the root is in code that was chosen. */
  static boolean isOfApplication(Path.Hop hop) {
    Site site = hop.site();
    return !hop.isOverflow()
        && !(site.className().equals(BUFFER)
            && (site.method().equals("retain") || site.method().equals("release")));
  }
}
