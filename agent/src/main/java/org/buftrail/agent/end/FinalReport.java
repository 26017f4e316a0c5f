package org.buftrail.agent.end;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.buftrail.agent.base.BoundedCall;
import org.buftrail.agent.base.BoundedText;
import org.buftrail.agent.base.Log;
import org.buftrail.agent.base.TimeBox;
import org.buftrail.agent.options.ServiceOptions;
import org.buftrail.agent.source.Collected;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.History;
import org.buftrail.agent.source.MinuteStore;
import org.buftrail.agent.source.ThisProcess;
import org.buftrail.agent.watch.SnapshotFiles;
import org.buftrail.model.ErrorText;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.FlowHtml;
import org.buftrail.report.Reports;
import org.buftrail.report.TreeReport;
import org.jspecify.annotations.Nullable;

/**
 * Writes the state at shutdown to the files asked for, and into the directory of snapshots. Without
 * a report, and where one cannot be written, the text goes to standard error, as much of it as
 * somebody would read there.
 *
 * <p>A shutdown hook from the start on, so that a JVM that ends at once reports too.
 */
public final class FinalReport extends Thread {
  /** Limit for the text on standard error. */
  static final int MAX_CHARS = 60_000;

  /** How long the end of the JVM waits for one file, which may be a pipe that nobody reads. */
  private static final long PATIENCE_MILLIS = 30_000;

  private final EndDecision decision;
  private final ServiceOptions services;
  private final ThisProcess process;
  private final Supplier<List<String>> notes;
  private volatile List<Path> files;
  private final long patienceMillis;
  private volatile boolean ending;
  private volatile @Nullable History history;

  /** Must have been due: before that there is nothing to report. */
  private volatile @Nullable Announcement announcement;

  /**
   * @param notes lines about what should be mended, asked for at the end
   */
  public FinalReport(
      List<Path> files,
      EndDecision decision,
      ServiceOptions services,
      ThisProcess process,
      Supplier<List<String>> notes) {
    this(files, decision, services, process, notes, PATIENCE_MILLIS);
  }

  public FinalReport(
      List<Path> files,
      EndDecision decision,
      ServiceOptions services,
      ThisProcess process,
      Supplier<List<String>> notes,
      long patienceMillis) {
    super(null, null, "buftrail-report", 0, false);
    this.patienceMillis = patienceMillis;
    this.files = files;
    this.decision = decision;
    this.services = services;
    this.process = process;
    this.notes = notes;
    setContextClassLoader(null);
  }

  /** Writes other files than was said first. */
  public void writeTo(List<Path> files, String options) {
    this.files = files;
    process.runWith(options);
  }

  /** Reports nothing unless this is due by then. */
  public void waitFor(Announcement awaited) {
    announcement = awaited;
  }

  /** Which live flows are lost. */
  public EndDecision decision() {
    return decision;
  }

  /** Snapshots that say whose they are. */
  public ThisProcess process() {
    return process;
  }

  /** Whether a file has a place for what was before. */
  public boolean hasTimeline() {
    for (Path file : files) {
      String name = String.valueOf(file.getFileName());
      if (ProfileFormat.ofFile(name).orElse(null) == ProfileFormat.HTML) {
        return true;
      }
    }
    return false;
  }

  /** Writes what was before too. */
  public void add(History before) {
    history = before;
  }

  /**
   * Loads what the report needs, so that it is written even if the jar is replaced meanwhile, and
   * says which files could not be written.
   *
   * @param log takes a line for each
   */
  public void prepare(Consumer<String> log) throws IOException {
    ReportWarmUp.of(ProfileFormat.TEXT);
    Class<?>[] needed = {
      FinalReport.class,
      LastWords.class,
      EndDecision.class,
      Announcement.class,
      BoundedText.class,
      BoundedCall.class,
      TimeBox.class,
      FileReport.class,
      FlowSource.class,
      Collected.class,
      History.class,
      MinuteStore.class,
      ThisProcess.class
    };
    for (Class<?> type : needed) {
      initialize(type);
    }
    Objects.requireNonNull(process.process());
    Objects.requireNonNull(notes.get());
    for (Path file : files) {
      String problem = Reports.problem(file);
      if (problem == null) {
        ReportWarmUp.of(file);
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
      ReportWarmUp.of(ProfileFormat.JSON);
      snapshotFiles(line -> {}).check(log);
    }
  }

  private static void initialize(Class<?> type) {
    if (!isLoaded(type.getName(), type)) {
      throw new LinkageError(type.getName());
    }
    // In the packaged agent a class has its lambdas beside it, numbered.
    int number = 1;
    while (isLoaded(type.getName() + "$Lambda" + number, type)) {
      number++;
    }
  }

  private static boolean isLoaded(String name, Class<?> beside) {
    try {
      Class.forName(name, true, beside.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Whether the JVM is about to end, and nothing is to come after the last snapshot. */
  public boolean isEnding() {
    return ending;
  }

  /** The snapshot that is taken next is the last. */
  public void end() {
    ending = true;
  }

  @Override
  public void run() {
    end();
    Announcement awaited = announcement;
    if (awaited != null && !awaited.isDue()) {
      return;
    }
    try {
      if (awaited != null) {
        awaited.say();
      }
      LastWords words = new LastWords();
      try {
        String whyOpen = decision.make();
        addNotes(notes, words);
        Snapshot last = process.whole();
        write(last, words);
        long undecided = last.status().undecided();
        if (undecided > 0) {
          words.say(Collected.undecided(undecided) + ": " + whyOpen);
        }
      } catch (Throwable e) {
        words.say("no report at shutdown: " + e);
      }
      words.print();
    } catch (Throwable e) {
      Log.line("no report at shutdown");
    }
  }

  /** Writes what is asked for. */
  void write(Snapshot snapshot, LastWords words) throws IOException {
    History before = history;
    if (before != null) {
      addLast(() -> before.look(snapshot), words);
    }
    boolean wanted = files.isEmpty();
    for (Path file : files) {
      if (isEmpty(snapshot) && hasContent(file)) {
        words.say("nothing was followed; the report that is in " + file + " stays");
        continue;
      }
      FileReport report = new FileReport(snapshot, before == null ? null : before::write, file);
      boolean ended = BoundedCall.run("buftrail-report-file", report, patienceMillis);
      String problem = ended ? report.problem : file + ": nobody takes what is written there";
      words.say(problem == null ? "report written to " + file : "report not written: " + problem);
      wanted |= problem != null;
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

  private static boolean isEmpty(Snapshot snapshot) {
    return snapshot.allocated() == 0 && snapshot.paths().isEmpty() && snapshot.misuses().isEmpty();
  }

  /** Whether an empty report would take something away. */
  private static boolean hasContent(Path file) throws IOException {
    return Files.isRegularFile(file) && Files.size(file) > 0;
  }

  /** Nor is it one that what should be mended cannot be said. */
  static void addNotes(Supplier<List<String>> notes, LastWords words) {
    try {
      notes.get().forEach(words::say);
    } catch (Throwable e) {
      words.say("what should be mended cannot be said: " + ErrorText.of(e));
    }
  }

  /** A chart without its end is no reason for no report. */
  static void addLast(Runnable look, LastWords words) {
    try {
      look.run();
    } catch (Throwable e) {
      words.say("the chart lacks its last point: " + e);
    }
  }

  /** Writes one file; on a thread of its own. */
  private static final class FileReport implements Runnable {
    private final Snapshot snapshot;
    private final FlowHtml.@Nullable Member history;
    private final Path file;
    private volatile @Nullable String problem;

    FileReport(Snapshot snapshot, FlowHtml.@Nullable Member history, Path file) {
      this.snapshot = snapshot;
      this.history = history;
      this.file = file;
    }

    @Override
    public void run() {
      try {
        Reports.write(snapshot, history, file);
      } catch (IOException | RuntimeException | Error e) {
        problem = String.valueOf(e.getMessage());
      }
    }
  }

  /** A new one, since that of the running JVM may be waiting for a reader of its log. */
  private SnapshotFiles snapshotFiles(Consumer<String> log) {
    return services.snapshotFiles(log);
  }
}
