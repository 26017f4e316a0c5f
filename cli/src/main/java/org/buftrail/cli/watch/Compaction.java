package org.buftrail.cli.watch;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Exit;

/**
 * Compacts a dataset again and again, on a thread of its own, while recordings are added to it.
 * What is under way at the end is given up, which loses nothing.
 */
public final class Compaction implements AutoCloseable {
  private final Work work;
  private final Consumer<String> failures;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Compaction::thread);

  /** Compacts once. */
  public interface Work {
    /** Compacts the dataset. */
    void run() throws IOException, CommandFailure;
  }

  /**
   * Begins after the first pause.
   *
   * @param failures gets a line for each compaction that failed; the next is tried all the same
   */
  public Compaction(Work work, long pauseMillis, Consumer<String> failures) {
    this.work = work;
    this.failures = failures;
    // It never fails.
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(this::run, pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable runs) {
    Thread thread = new Thread(runs, "buftrail-watch-compaction");
    thread.setDaemon(true);
    return thread;
  }

  private void run() {
    try {
      work.run();
    } catch (IOException | CommandFailure e) {
      failures.accept("compaction failed: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      failures.accept("compaction failed: " + Exit.unexpected(e));
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
