package org.buftrail.cli.options;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Output;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.model.MemoryRange;
import org.buftrail.model.Minutes;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.RangeReport;

/** The range of time that a report of flows is about: options of commands that write one. */
public final class RangeOptions {
  /** Milliseconds of this size and more are since the epoch. */
  private static final long EPOCH_MILLIS = 1_500_000_000_000L;

  private final TimeOption from =
      new TimeOption(
          "--from",
          "Report what was allocated and released from this minute of the last 24 hours on, and by"
              + " how much each path grew: milliseconds from the first minute, or, if negative,"
              + " before the snapshot; HH:MM:SS of today; 2026-01-31T12:00:00, or with Z in UTC.");

  private final TimeOption to = new TimeOption("--to", "Report it up to this minute.");

  public RangeOptions() {}

  public List<CommandOption> options() {
    return List.of(from, to);
  }

  /** Whether a range was asked for. */
  public boolean isGiven() {
    return from.isGiven() || to.isGiven();
  }

  /** Refuses a format that has no place for a range. */
  public void check(ProfileFormat format) {
    if (isGiven() && !RangeReport.FORMATS.contains(format)) {
      throw new WrongUsage(
          "--from and --to are for txt, json and llm, not for "
              + format
              + "; in a page, drag over the chart");
    }
  }

  /**
   * Writes what happened in the range.
   *
   * @param whose names the snapshot in an error
   */
  public void write(Snapshot snapshot, String whose, ReportTarget target, Terminal terminal)
      throws IOException, CommandFailure {
    Minutes minutes = snapshot.minutes();
    if (minutes == null) {
      throw new CommandFailure(
          whose
              + ": has no minutes, so --from and --to find nothing; the agent of this version"
              + " writes them into every snapshot");
    }
    long begin = millis(from, snapshot, minutes, minutes.begin(0));
    long end = millis(to, snapshot, minutes, snapshot.takenAtMillis() + 1);
    if (end <= minutes.begin(0) || begin > snapshot.takenAtMillis()) {
      throw new CommandFailure(
          whose
              + ": knows of "
              + Instant.ofEpochMilli(minutes.begin(0))
              + " to "
              + Instant.ofEpochMilli(snapshot.takenAtMillis())
              + " only");
    }
    if (begin >= end) {
      throw new WrongUsage("--from must be before --to");
    }
    MemoryRange range = MemoryRange.of(minutes, begin, end);
    ProfileFormat format = target.format();
    Output.write(target.output(), terminal, out -> RangeReport.write(range, format, out));
  }

  private static long millis(TimeOption option, Snapshot snapshot, Minutes minutes, long unset) {
    if (!option.isGiven()) {
      return unset;
    }
    long millis = option.value().millis();
    if (option.value().absolute() || millis >= EPOCH_MILLIS) {
      return millis;
    }
    return millis + (millis < 0 ? snapshot.takenAtMillis() : minutes.begin(0));
  }
}
