package org.buftrail.report;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/** What the tracker says of itself, below the totals: a line each, none where all is well. */
final class StatusText {
  /** Classes that are named. */
  private static final int MAX_UNWOVEN = 5;

  /** What sweeps once a second has not got its turn for so long. */
  private static final long LATE_MILLIS = 60_000;

  private StatusText() {}

  /** Since when and why nothing new is followed, in one line; null while it is. */
  static @Nullable String stopped(TrackerStatus status) {
    TrackerStatus.@Nullable Stop stop = status.stop();
    return stop == null
        ? null
        : "NOT FOLLOWING new buffers since "
            + Wording.time(stop.sinceMillis())
            + ": "
            + Wording.ascii(stop.reason());
  }

  /** How many live flows may be lost, in a few words; null where none may be. */
  static @Nullable String undecided(TrackerStatus status) {
    return status.undecided() == 0
        ? null
        : (status.isAtEnd() ? "UNDECIDED: " : "undecided: ")
            + Wording.count(status.undecided())
            + " of the live ones may be lost";
  }

  static void write(Snapshot snapshot, Appendable out) throws IOException {
    TrackerStatus status = snapshot.status();
    String stopped = stopped(status);
    if (stopped != null) {
      out.append("  ").append(stopped).append('\n');
    }
    if (status.suppressedErrors() > 0) {
      out.append("  ").append(Wording.count(status.suppressedErrors()));
      out.append(" errors inside the tracker were kept from the application; counts may be off\n");
    }
    if (status.lostReleases() > 0) {
      out.append("  ").append(Wording.count(status.lostReleases()));
      out.append(" releases could not be recorded; they are counted where the buffer was last");
      out.append(" seen\n");
    }
    unwoven(status, out);
    for (TrackerStatus.ThreadHealth thread : status.threads()) {
      thread(thread, snapshot.takenAtMillis(), out);
    }
  }

  private static void unwoven(TrackerStatus status, Appendable out) throws IOException {
    if (status.unwovenClasses() == 0) {
      return;
    }
    out.append("  ").append(Wording.count(status.unwovenClasses()));
    out.append(status.unwovenClasses() == 1 ? " class" : " classes");
    out.append(" could not be woven; buffers are not seen in them\n");
    List<TrackerStatus.Unwoven> named = status.unwoven();
    for (TrackerStatus.Unwoven each : named.subList(0, Math.min(MAX_UNWOVEN, named.size()))) {
      out.append("    ").append(Wording.ascii(each.className())).append(": ");
      out.append(Wording.ascii(each.reason())).append('\n');
    }
  }

  private static void thread(TrackerStatus.ThreadHealth thread, long now, Appendable out)
      throws IOException {
    boolean worked = thread.lastRoundMillis() != TrackerStatus.ThreadHealth.NEVER;
    long since = worked ? Math.max(0, now - thread.lastRoundMillis()) : 0;
    boolean late = since > LATE_MILLIS && thread.name().equals(TrackerStatus.ThreadHealth.SWEEPER);
    if (thread.failures() == 0 && !late) {
      return;
    }
    out.append("  thread ").append(Wording.ascii(thread.name()));
    out.append(worked ? " last worked " + Wording.age(since) + " before this" : " never worked");
    out.append(late ? ", so leaks and ages are reported late" : "");
    if (thread.failures() > 0) {
      String times = Wording.count(thread.failures()) + " times";
      out.append("; it failed ").append(thread.failures() == 1 ? "once" : times);
      out.append(" in ").append(Wording.count(thread.rounds())).append(" finished rounds");
    }
    String last = thread.lastFailure();
    out.append(last == null ? "" : "; last: " + Wording.ascii(last)).append('\n');
  }
}
