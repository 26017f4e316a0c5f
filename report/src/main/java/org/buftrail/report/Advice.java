package org.buftrail.report;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/** Which options would lead leaks further, ready to paste. */
final class Advice {
  private Advice() {}

  /** Sentences without their full stop, since some end in what is to be pasted; bounded. */
  static List<String> lines(Snapshot snapshot) {
    List<String> lines = new ArrayList<>();
    String noHops = NoHops.advice(snapshot);
    if (noHops != null) {
      lines.add(noHops);
    }
    lines.addAll(UnfollowedText.lines(snapshot));
    return lines;
  }

  /** The same in one line; null where there is nothing to advise. */
  static @Nullable String text(Snapshot snapshot) {
    List<String> lines = lines(snapshot);
    return lines.isEmpty() ? null : String.join(". ", lines);
  }
}
