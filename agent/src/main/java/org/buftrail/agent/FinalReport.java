package org.buftrail.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.buftrail.agent.report.ReportFormat;
import org.buftrail.agent.report.Reports;
import org.buftrail.agent.report.TreeReport;
import org.buftrail.agent.watch.SnapshotFiles;
import org.buftrail.flow.FlowTracker;
import org.buftrail.flow.Snapshot;

/**
 * What is known at shutdown: to the files asked for, and into the directory of snapshots. Without a
 * report, and where one cannot be written, the text goes to standard error, as much of it as
 * somebody would read there.
 *
 * <p>A shutdown hook from the start on, so that a JVM that ends at once reports too.
 */
final class FinalReport extends Thread {
  /** Of the text on standard error. */
  static final int MAX_CHARS = 60_000;

  private final ServiceOptions services;
  private volatile List<Path> files;
  private volatile boolean ending;

  FinalReport(List<Path> files, ServiceOptions services) {
    super(null, null, "buftrail-report", 0, false);
    this.files = files;
    this.services = services;
    setContextClassLoader(null);
  }

  /** Writes other files than was said first. */
  void writeTo(List<Path> files) {
    this.files = files;
  }

  /**
   * Loads what the report needs, so that it is written even if the jar is replaced meanwhile, and
   * says which files could not be written.
   *
   * @param log takes a line for each
   */
  void prepare(Consumer<String> log) throws IOException {
    Rehearsal.of(ReportFormat.TEXT);
    Class<?>[] needed = {LastWords.class, BoundedText.class};
    for (Class<?> type : needed) {
      initialize(type);
    }
    for (Path file : files) {
      String problem = Reports.problem(file);
      if (problem == null) {
        Rehearsal.of(file);
      } else {
        log.accept(
            "report="
                + file
                + " cannot be written: "
                + problem
                + "; unless that changes, the report goes to standard error");
      }
    }
    if (services.snapshotDirectory != null) {
      Rehearsal.of(ReportFormat.JSON);
      snapshotFiles(line -> {}).check(log);
    }
  }

  private static void initialize(Class<?> type) {
    try {
      Class.forName(type.getName(), true, type.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new LinkageError(type.getName(), e);
    }
  }

  /** Whether the JVM is about to end, and nothing is to come after the last snapshot. */
  boolean isEnding() {
    return ending;
  }

  @Override
  public void run() {
    ending = true;
    try {
      LastWords words = new LastWords();
      try {
        FlowTracker.finish();
        write(FlowTracker.snapshot(), words);
      } catch (Throwable e) {
        words.say("no report at shutdown: " + e);
      }
      words.print();
    } catch (Throwable e) {
      Log.line("no report at shutdown");
    }
  }

  private void write(Snapshot snapshot, LastWords words) throws IOException {
    boolean wanted = files.isEmpty();
    for (Path file : files) {
      try {
        Reports.write(snapshot, file);
        words.say("report written to " + file);
      } catch (IOException | RuntimeException e) {
        words.say("report not written: " + e.getMessage());
        wanted = true;
      }
    }
    if (services.snapshotDirectory != null) {
      snapshotFiles(words::say).write(snapshot, "shutdown");
    }
    if (wanted) {
      BoundedText text = new BoundedText(MAX_CHARS);
      TreeReport.write(snapshot, text);
      words.say("flows at shutdown\n" + text);
      if (text.leftOut() > 0) {
        words.say(text.leftOut() + " more lines; the option report=flows.txt writes all to a file");
      }
    }
  }

  /** Not the one of the running JVM, which may be waiting for somebody to read what it logs. */
  private SnapshotFiles snapshotFiles(Consumer<String> log) {
    return services.snapshotFiles(log);
  }
}
