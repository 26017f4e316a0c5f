package org.buftrail.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.agent.report.SnapshotJson;
import org.buftrail.flow.FlowTracker;
import org.buftrail.flow.Snapshot;

/** What is known at shutdown, to the files asked for or else to standard error. */
final class FinalReport extends Thread {
  private final List<Path> files;

  FinalReport(List<Path> files) {
    super(null, null, "buftrail-report", 0, false);
    this.files = files;
    setContextClassLoader(null);
  }

  @Override
  public void run() {
    try {
      write(FlowTracker.snapshot());
    } catch (Throwable e) {
      Log.line("no report at shutdown: " + e);
    }
  }

  private void write(Snapshot snapshot) {
    if (files.isEmpty()) {
      Log.line("flows at shutdown: " + snapshot.allocated());
    }
    for (Path file : files) {
      try {
        try (java.io.Writer w = java.nio.file.Files.newBufferedWriter(file)) {
          SnapshotJson.write(snapshot, w);
        }
        Log.line("report written to " + file);
      } catch (IOException e) {
        Log.line("report not written to " + file + ": " + e.getMessage());
      }
    }
  }
}
