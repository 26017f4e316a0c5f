package org.buftrail.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.agent.report.Reports;
import org.buftrail.agent.report.TreeReport;
import org.buftrail.flow.FlowTracker;
import org.buftrail.flow.Snapshot;

/** What is known at shutdown, to the files asked for or else to standard error. */
final class FinalReport extends Thread {
  private volatile List<Path> files;

  FinalReport(List<Path> files) {
    super(null, null, "buftrail-report", 0, false);
    this.files = files;
    setContextClassLoader(null);
  }

  /** Writes other files than was said first. */
  void writeTo(List<Path> files) {
    this.files = files;
  }

  @Override
  public void run() {
    try {
      write(FlowTracker.snapshot());
    } catch (Throwable e) {
      Log.line("no report at shutdown: " + e);
    }
  }

  private void write(Snapshot snapshot) throws IOException {
    if (files.isEmpty()) {
      StringBuilder text = new StringBuilder();
      TreeReport.write(snapshot, text);
      Log.line("flows at shutdown\n" + text);
    }
    for (Path file : files) {
      try {
        Reports.write(snapshot, file);
        Log.line("report written to " + file);
      } catch (IOException e) {
        Log.line("report not written: " + e.getMessage());
      }
    }
  }
}
