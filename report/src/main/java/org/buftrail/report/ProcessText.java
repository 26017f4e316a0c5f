package org.buftrail.report;

import java.io.IOException;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackedProcess;
import org.jspecify.annotations.Nullable;

/** Whose flows a report shows, in one line; none where that is not known. */
final class ProcessText {
  private ProcessText() {}

  static void write(Snapshot snapshot, Appendable out) throws IOException {
    @Nullable TrackedProcess process = snapshot.process();
    if (process == null) {
      return;
    }
    out.append(process.name().isEmpty() ? "unnamed" : Wording.ascii(process.name()));
    if (!process.version().isEmpty()) {
      out.append(' ').append(Wording.ascii(process.version()));
    }
    out.append(", process ").append(String.valueOf(process.pid()));
    if (!process.host().isEmpty()) {
      out.append(" on ").append(Wording.ascii(process.host()));
    }
    if (process.startedAtMillis() != Path.NEVER) {
      long up = Math.max(0, snapshot.takenAtMillis() - process.startedAtMillis());
      out.append(", up ").append(Wording.age(up));
    }
    if (!process.java().isEmpty()) {
      out.append(", Java ").append(Wording.ascii(process.java()));
    }
    if (!process.options().isEmpty()) {
      out.append("; options ").append(Wording.ascii(process.options().replace("…", "...")));
    }
    out.append('\n');
  }
}
