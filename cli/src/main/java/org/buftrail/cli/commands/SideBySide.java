package org.buftrail.cli.commands;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import org.jspecify.annotations.Nullable;

/**
 * Works on several inputs at a time. The output for each appears as a whole, in the order of the
 * inputs.
 */
final class SideBySide {
  /** Heap for each worker, which a large recording needs, in bytes. */
  private static final long HEAP = 64L << 20;

  private SideBySide() {}

  /** The work on one input. Used by one thread, which need not be that of the others. */
  interface Work {
    /**
     * Does it.
     *
     * @param terminal where to say what is to be said
     * @return the exit code
     */
    int run(Terminal terminal) throws IOException;
  }

  /** What became of it. */
  private record End(int exit, String out, String err) {}

  /** How many inputs are worked on at a time: as many as there are processors and memory for. */
  static int workers(int inputs) {
    Runtime machine = Runtime.getRuntime();
    long bounded = Math.min(machine.availableProcessors(), machine.maxMemory() / HEAP);
    return (int) Math.max(1, Math.min(bounded, inputs));
  }

  /**
   * Does all of it.
   *
   * @return the highest exit code
   * @throws IOException the first that one threw; what was not begun by then is left
   */
  static int run(List<Work> all, int workers, Terminal terminal) throws IOException {
    if (workers == 1) {
      int exit = Exit.DONE;
      for (Work work : all) {
        exit = Math.max(exit, work.run(terminal));
      }
      return exit;
    }
    ExecutorService pool = Executors.newFixedThreadPool(workers);
    try {
      List<Future<End>> ends = new ArrayList<>();
      for (Work work : all) {
        ends.add(pool.submit(apart(work)));
      }
      int exit = Exit.DONE;
      for (Future<End> each : ends) {
        End end = each.get();
        terminal.repeat(end.out(), end.err());
        exit = Math.max(exit, end.exit());
      }
      return exit;
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private static Callable<End> apart(Work work) {
    return () -> {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      int exit =
          work.run(
              new Terminal(
                  new PrintStream(out, true, StandardCharsets.UTF_8),
                  new PrintStream(err, true, StandardCharsets.UTF_8),
                  true));
      return new End(
          exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    };
  }

  private static IOException rethrown(@Nullable Throwable cause) {
    if (cause instanceof IOException failure) {
      return failure;
    }
    if (cause instanceof RuntimeException failure) {
      throw failure;
    }
    if (cause instanceof Error failure) {
      throw failure;
    }
    return new IOException(cause);
  }
}
