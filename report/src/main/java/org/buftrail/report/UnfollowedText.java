package org.buftrail.report;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Names classes of the application in which leaked buffers may have gone on unseen, with the option
 * that follows each. A class is named only where leaks end in a method that gives it buffers.
 */
final class UnfollowedText {
  /** Classes that are named. */
  private static final int MAX_NAMED = 3;

  private UnfollowedText() {}

  /** One sentence for each class, without its full stop, that of most leaks first. */
  static List<String> lines(Snapshot snapshot) {
    List<TrackerStatus.Unfollowed> classes = snapshot.status().unfollowed();
    if (classes.isEmpty()) {
      return List.of();
    }
    Map<String, Long> leaked = leakedByEnd(snapshot);
    List<Line> lines = new ArrayList<>();
    for (TrackerStatus.Unfollowed each : classes) {
      long count = 0;
      @Nullable String giver = null;
      for (String method : each.givers()) {
        long here = leaked.getOrDefault(method, 0L);
        giver = giver == null && here > 0 ? method : giver;
        count += here;
      }
      if (giver != null) {
        lines.add(new Line(count, text(each, giver, count)));
      }
    }
    lines.sort(Comparator.comparingLong((Line line) -> -line.leaked));
    return lines.stream().limit(MAX_NAMED).map(line -> line.text).collect(toList());
  }

  private static final class Line {
    final long leaked;
    final String text;

    Line(long leaked, String text) {
      this.leaked = leaked;
      this.text = text;
    }
  }

  /** How many buffers leaked, by the method of the application that was the last to have them. */
  private static Map<String, Long> leakedByEnd(Snapshot snapshot) {
    Map<String, Long> leaked = new HashMap<>();
    for (Path path : snapshot.paths()) {
      Path.@Nullable Hop end = path.leaked().count() > 0 ? end(path) : null;
      if (end != null && path.resource() == null) {
        leaked.merge(end.site().qualifiedName(), path.leaked().count(), Long::sum);
      }
    }
    return leaked;
  }

  private static Path.@Nullable Hop end(Path path) {
    Path.Hop owner = path.lastOwner();
    if (owner != null) {
      return owner;
    }
    List<Path.Hop> hops = path.hops();
    for (int i = hops.size() - 1; i > 0; i--) {
      if (NoHops.isOfApplication(hops.get(i))) {
        return hops.get(i);
      }
    }
    return null;
  }

  private static String text(TrackerStatus.Unfollowed wrapper, String giver, long leaked) {
    String name = Wording.ascii(wrapper.className());
    return Wording.flows(leaked)
        + " leaked where "
        + Wording.ascii(giver)
        + " gives buffers to "
        + name
        + ", which is not followed, because it "
        + Wording.ascii(wrapper.reason())
        + ". To follow it: "
        + wrapper.fields().stream()
            .map(field -> "carrier=" + name + '.' + Wording.ascii(field))
            .collect(joining(" or "));
  }
}
