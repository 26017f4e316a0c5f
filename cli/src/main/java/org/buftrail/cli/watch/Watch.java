package org.buftrail.cli.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.buftrail.cli.output.CommandFailure;
import org.buftrail.cli.output.Terminal;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RecordingException;
import org.jspecify.annotations.Nullable;

/**
 * Takes the recordings of a directory, those that are there and those that come, with some workers.
 *
 * <p>The caller's thread looks at the directory. A file whose length and time are as at the look
 * before is whole, and goes into a bounded queue; if that is full, it is found again. A worker
 * takes it and then notes it in the journal: so each is taken once, but for one that was under way
 * when the process was killed, which is taken again. A recording that is at fault is noted and
 * listed. Where the receiver is, the recording comes back after a pause, a bounded number of times.
 */
public final class Watch {
  private static final int MOST_WAITING = 1000;
  private static final int MOST_TRIES = 10;

  private final @Nullable Path directory;
  private final Terminal terminal;
  private final WatchFigures figures = new WatchFigures();
  private final BlockingQueue<Path> queue = new ArrayBlockingQueue<>(MOST_WAITING);

  /** Files in the queue or with a worker. */
  private final Set<Path> underWay = ConcurrentHashMap.newKeySet();

  private final Map<Path, Retry> retries = new ConcurrentHashMap<>();
  private final BlockingQueue<Taker> idle;
  private final int workers;
  private final AtomicInteger busy = new AtomicInteger();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private Map<Path, String> seen = new HashMap<>();
  private long lookMillis = 1000;
  private long pauseMillis = 10_000;

  /** How often a file was tried, and when it is again. */
  private record Retry(int tries, long atNanos) {}

  /**
   * @param directory null if recordings only come by other ways
   * @param takers one for each worker
   */
  public Watch(@Nullable Path directory, List<? extends Taker> takers, Terminal terminal) {
    this.directory = directory;
    this.terminal = terminal;
    workers = takers.size();
    idle = new ArrayBlockingQueue<>(Math.max(1, workers), false, List.copyOf(takers));
  }

  /** Sets the time between two looks, and before a recording is tried again. */
  public Watch pauses(long look, long retry) {
    lookMillis = look;
    pauseMillis = retry;
    return this;
  }

  WatchFigures figures() {
    return figures;
  }

  String metrics() {
    return figures.metrics(queue.size(), busy.get());
  }

  /**
   * Takes recordings until {@link #stop}, or what is there.
   *
   * @param journal where it is noted which have been taken
   * @param once whether it ends when all that is there has been taken
   * @return how many recordings failed
   */
  public long run(Path journal, boolean once) throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    try (Journal done = new Journal(journal)) {
      for (int i = 0; i < workers && directory != null; i++) {
        Thread thread = new Thread(() -> work(done), "buftrail-watch-" + i);
        thread.start();
        threads.add(thread);
      }
      do {
        look(done, once);
      } while (!(once && underWay.isEmpty() && retries.isEmpty())
          && !stopped.await(once ? Math.min(20, lookMillis) : lookMillis, TimeUnit.MILLISECONDS));
      stopped.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    } finally {
      stopped.countDown();
      ended.countDown();
    }
    return figures.failed.get();
  }

  /** Ends it when what is under way is done; waits for that. */
  public void stop() {
    stopped.countDown();
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(Journal done, boolean once) {
    Path from = directory;
    if (from == null) {
      return;
    }
    Map<Path, String> now = new HashMap<>();
    for (Path file : files(from)) {
      String key = Journal.key(file);
      if (key.isEmpty() || done.contains(key)) {
        continue;
      }
      now.put(file, key);
      boolean isWhole = once || key.equals(seen.get(file));
      Retry retry = retries.get(file);
      boolean isDue = retry == null || System.nanoTime() - retry.atNanos >= 0;
      if (isWhole && isDue && underWay.add(file) && !queue.offer(file)) {
        underWay.remove(file);
      }
    }
    seen = now;
    retries.keySet().retainAll(new HashSet<>(now.keySet()));
  }

  private static List<Path> files(Path directory) {
    try {
      return Files.isDirectory(directory) ? Recording.of(directory).files() : List.of();
    } catch (RecordingException e) {
      // Holds none yet.
      return List.of();
    }
  }

  private void work(Journal done) {
    try {
      while (stopped.getCount() > 0) {
        Path file = queue.poll(20, TimeUnit.MILLISECONDS);
        if (file != null) {
          Taker taker = idle.take();
          try {
            work(file, taker, done);
          } finally {
            idle.add(taker);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void work(Path file, Taker taker, Journal done) throws InterruptedException {
    String key = Journal.key(file);
    try {
      take(file, file.toString(), taker);
      retries.remove(file);
      done.add(key);
    } catch (CommandFailure e) {
      retries.remove(file);
      note(key, done);
    } catch (IOException e) {
      Retry before = retries.get(file);
      int tries = before == null ? 1 : before.tries + 1;
      if (tries >= MOST_TRIES) {
        retries.remove(file);
        fail(file + ": given up after " + tries + " tries: " + e.getMessage());
        note(key, done);
      } else {
        figures.retried.incrementAndGet();
        retries.put(
            file, new Retry(tries, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis)));
        say(file + ": " + e.getMessage() + "; tried again later");
      }
    } finally {
      underWay.remove(file);
    }
  }

  private void note(String key, Journal done) {
    try {
      done.add(key);
    } catch (IOException e) {
      say("the journal cannot be written: " + e.getMessage());
    }
  }

  /**
   * Takes a recording with a worker that is idle.
   *
   * @param name what it is called in messages
   * @return false if none is
   */
  boolean takeNow(Path file, String name) throws IOException, InterruptedException, CommandFailure {
    Taker taker = idle.poll();
    if (taker == null) {
      figures.refused.incrementAndGet();
      return false;
    }
    try {
      take(file, name, taker);
      return true;
    } finally {
      idle.add(taker);
    }
  }

  private void take(Path file, String name, Taker taker)
      throws IOException, InterruptedException, CommandFailure {
    long start = System.nanoTime();
    busy.incrementAndGet();
    try {
      long size = Files.size(file);
      List<String> damages = taker.take(file);
      figures.taken.incrementAndGet();
      figures.bytes.addAndGet(size);
      if (!damages.isEmpty()) {
        figures.damaged.incrementAndGet();
        String more = damages.size() == 1 ? "" : " and " + (damages.size() - 1) + " more";
        figures.failure(damages.get(0) + more);
        say(damages.get(0) + more);
      }
    } catch (CommandFailure e) {
      fail(String.valueOf(e.getMessage()).replace(file.toString(), name));
      throw e;
    } catch (RuntimeException e) {
      // Whatever is wrong with it, the next may be right.
      fail(name + ": unexpected " + e);
      throw new CommandFailure(name + ": unexpected " + e, e);
    } finally {
      busy.decrementAndGet();
      figures.nanos.addAndGet(System.nanoTime() - start);
    }
  }

  private void fail(String line) {
    figures.failed.incrementAndGet();
    figures.failure(line);
    say(line);
  }

  private void say(String line) {
    synchronized (terminal) {
      terminal.fail(line);
    }
  }
}
