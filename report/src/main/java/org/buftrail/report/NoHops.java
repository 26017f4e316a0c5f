package org.buftrail.report;

import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/** What to try when no path, or none of a leak, leads into the application. */
final class NoHops {
  private static final String BUFFER = "io.netty.buffer.ByteBuf";

  private NoHops() {}

  /**
   * One sentence, or null where what is to be found has a hop of the application: the paths that
   * lose buffers, or all of them where none is lost. Null too where nothing was followed.
   */
  static @Nullable String advice(Snapshot snapshot) {
    boolean followed = false;
    boolean leads = false;
    boolean leaks = false;
    boolean leakLeads = false;
    for (Path path : snapshot.paths()) {
      boolean leaksHere = path.resource() == null && path.leaked().count() > 0;
      boolean leadsHere = path.hops().stream().skip(1).anyMatch(NoHops::isOfApplication);
      followed |= path.resource() == null && path.flows() > 0;
      leads |= leadsHere;
      leaks |= leaksHere;
      leakLeads |= leaksHere && leadsHere;
    }
    if (!followed || (leaks ? leakLeads : leads)) {
      return null;
    }
    return (leads ? "No path of a leak" : "No path")
        + " leads into the application: no class that the agent watches took "
        + (leads ? "what leaked" : "a buffer")
        + ". Name your packages, and those of your framework's codecs:"
        + " include=com.example,org.codec";
  }

  private static boolean isOfApplication(Path.Hop hop) {
    Site site = hop.site();
    return !hop.isOverflow()
        && !(site.className().equals(BUFFER)
            && (site.method().equals("retain") || site.method().equals("release")));
  }
}
