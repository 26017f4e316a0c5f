package org.buftrail.sql;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.RowSelection;
import org.buftrail.jfr.rows.SampleColumn;
import org.duckdb.DuckDBConnection;

/**
 * Reads files into the tables, several at a time. A file that is damaged, none of what can be read,
 * or gone costs itself, and is named.
 */
final class Loader {
  /** So long a load that failed waits for workers that still read. */
  private static final int PATIENCE_SECONDS = 30;

  private final DuckDBConnection connection;
  private final Needs needs;
  private final Set<Long> stacks = ConcurrentHashMap.newKeySet();
  private final Queue<Trouble> troubles = new ConcurrentLinkedQueue<>();
  private final Queue<Trouble> notes = new ConcurrentLinkedQueue<>();

  /** What could not be read of a file, by its place among the files. */
  private record Trouble(int file, String text) {}

  Loader(DuckDBConnection connection, Needs needs) {
    this.connection = connection;
    this.needs = needs;
  }

  /**
   * The files that inputs stand for, each once.
   *
   * @param troubles gets what is wrong with an input, in one line
   */
  static List<Path> files(List<Path> inputs, List<String> troubles) {
    Set<Path> files = new LinkedHashSet<>();
    for (Path input : inputs) {
      try {
        files.addAll(Recording.matching(List.of(input)).files());
      } catch (RecordingException e) {
        troubles.add(String.valueOf(e.getMessage()));
      }
    }
    return new ArrayList<>(files);
  }

  /**
   * Reads files; answers what could not be read, a line each.
   *
   * @throws IOException if the rows, or copies of recordings, cannot be stored
   */
  List<String> load(List<Path> files) throws IOException {
    int threads = Math.max(1, Math.min(files.size(), Runtime.getRuntime().availableProcessors()));
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      AtomicInteger next = new AtomicInteger();
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(
            workers.submit(
                () -> {
                  work(files, next);
                  return null;
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while recordings were read");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      if (e.getCause() instanceof RecordingException full) {
        throw full;
      }
      if (e.getCause() instanceof RuntimeException broken
          && !(broken instanceof TableAppender.NotTaken)) {
        throw broken;
      }
      throw new IOException("DuckDB does not take the rows: " + cause(e), e);
    } finally {
      end(workers);
    }
    return texts(troubles);
  }

  /** What is worth knowing of the files that were read, and is no damage, a line each. */
  List<String> notes() {
    return texts(notes);
  }

  private static List<String> texts(Collection<Trouble> all) {
    return all.stream()
        .sorted((a, b) -> Integer.compare(a.file, b.file))
        .map(Trouble::text)
        .toList();
  }

  /** Ends workers: none may add rows once the database is closed, or its tables are emptied. */
  private static void end(ExecutorService workers) {
    workers.shutdownNow();
    try {
      workers.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String cause(Throwable failure) {
    Throwable innermost = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      innermost = cause;
    }
    return Database.firstLine(innermost);
  }

  private void work(List<Path> files, AtomicInteger next) throws SQLException, RecordingException {
    try (TableAppender appender = new TableAppender(connection.duplicate(), needs, stacks)) {
      RowSource source = new RowSource(selection(), appender);
      for (int i = next.getAndIncrement(); i < files.size(); i = next.getAndIncrement()) {
        read(i, files.get(i), source);
      }
    } finally {
      // If this failed, the others need not go on.
      next.set(files.size());
    }
  }

  private RowSelection selection() {
    Set<SampleColumn> columns = new LinkedHashSet<>(needs.columns());
    if (needs.frames()) {
      columns.add(SampleColumn.STACK_ID);
    }
    return new RowSelection(columns, needs.kinds(), Long.MIN_VALUE, Long.MAX_VALUE, needs.events());
  }

  private void read(int number, Path file, RowSource source) throws RecordingException {
    try {
      RowSource.Found found = source.read(file);
      found.damages().forEach(damage -> troubles.add(new Trouble(number, damage)));
      found.notes().forEach(note -> notes.add(new Trouble(number, file + ": " + note)));
    } catch (IOException e) {
      if (e instanceof RecordingException failure && failure.isOfTemporaryFile()) {
        // No fault of this recording: the next would be left out for the same reason.
        throw failure;
      }
      String message = String.valueOf(e.getMessage());
      String name = message.contains(file.toString()) ? "" : file + ": ";
      troubles.add(new Trouble(number, name + message));
    }
  }
}
