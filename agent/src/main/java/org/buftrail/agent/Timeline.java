package org.buftrail.agent;

import java.io.IOException;
import org.buftrail.agent.end.FinalReport;
import org.buftrail.agent.end.ReportWarmUp;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.History;
import org.buftrail.agent.watch.Watcher;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.json.JsonOut;

/**
 * Adds to the history now and then, while the live page or a file of the report has a chart. A
 * later attachment may name other files than the first, so that is asked each time.
 */
final class Timeline implements Watcher {
  private final FlowSource source;
  private final FinalReport report;
  private final boolean hasPage;

  Timeline(FlowSource source, FinalReport report, boolean hasPage) {
    this.source = source;
    this.report = report;
    this.hasPage = hasPage;
  }

  /** The first point, where one is wanted. */
  void begin() throws IOException {
    rehearse();
    if (isWanted()) {
      look(source.sinceStart(FlowSource.FRESH_MILLIS));
    }
  }

  /** Loads the classes that a chart needs at the end of the JVM. */
  private static void rehearse() throws IOException {
    History trial = new History();
    trial.look(ReportWarmUp.example());
    trial.write(new JsonOut(new StringBuilder()));
  }

  @Override
  public boolean isWanted() {
    return hasPage || report.hasTimeline();
  }

  /** Adds a point, but none after that of the last snapshot. */
  @Override
  public void look(Snapshot now) {
    if (!report.isEnding()) {
      History history = source.keepHistory();
      history.look(now);
      report.add(history);
    }
  }
}
