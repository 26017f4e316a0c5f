package org.buftrail.report;

import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/** What to try when no path leads into the application. */
final class NoHops {
  private static final String BUFFER = "io.netty.buffer.ByteBuf";

  private NoHops() {}

  /** One sentence, or null where a path has a hop of the application, or nothing was followed. */
  static @Nullable String advice(Snapshot snapshot) {
    boolean followed = false;
    for (Path path : snapshot.paths()) {
      List<Path.Hop> hops = path.hops();
      for (Path.Hop hop : hops.subList(1, hops.size())) {
        if (isOfApplication(hop)) {
          return null;
        }
      }
      followed |= path.resource() == null && path.flows() > 0;
    }
    return followed
        ? "No path leads into the application: no class that the agent watches took a buffer. Name"
            + " your packages, and those of your framework's codecs: include=com.example,org.codec"
        : null;
  }

  private static boolean isOfApplication(Path.Hop hop) {
    Site site = hop.site();
    return !hop.isOverflow()
        && !(site.className().equals(BUFFER)
            && (site.method().equals("retain") || site.method().equals("release")));
  }
}
