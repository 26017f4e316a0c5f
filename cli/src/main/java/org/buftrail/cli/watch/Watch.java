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
import java.util.function.LongSupplier;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.dataset.Content;
import org.jspecify.annotations.Nullable;

/**
 * Takes the recordings of a directory, those that are there and those that come, with some workers.
 *
 * <p>The caller's thread looks at the directory. A file whose length and time are as at the look
 * before, and have been for long enough, is whole, if its last chunk is finished or was left long
 * ago; it goes into a bounded queue, and if that is full, it is found again. A content that has
 * been taken by another name is not taken again. A worker takes it and then notes it in the
 * journal: so each is taken once, but for one that was under way when the process was killed, which
 * is taken again. A recording that is at fault is noted and listed. Where something else is, such
 * as the receiver, the recording comes back after a pause that grows, until it is taken; if the
 * watch is to end, a bounded number of times, and then it is left to the next.
 */
public final class Watch {
  private static final int MOST_WAITING = 1000;

  /** So often something is tried if the watch is to end. */
  private static final int MOST_TRIES = 10;

  /** So many times the first pause a pause is at most. */
  private static final int LONGEST_PAUSE = 30;

  /** A chunk that is not finished is taken when nothing has come for so long. */
  private static final long DEAD_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** That is so many times the age of others, at least. */
  private static final long DEAD_AGES = 10;

  /** So long a pause each file makes; to look at one takes about a fiftieth of that. */
  private static final long MILLIS_OF_FILE = 1;

  private static final long LONGEST_LOOK_PAUSE = 60_000;

  private final @Nullable Path directory;
  private final Terminal terminal;
  private final WatchFigures figures = new WatchFigures();
  private final BlockingQueue<Path> queue = new ArrayBlockingQueue<>(MOST_WAITING);

  /** Files in the queue or with a worker. */
  private final Set<Path> underWay = ConcurrentHashMap.newKeySet();

  private final Map<Path, Retry> retries = new ConcurrentHashMap<>();

  /** Keys of files that are left to the next watch. */
  private final Set<String> left = ConcurrentHashMap.newKeySet();

  private final BlockingQueue<Taker> idle;
  private final int workers;
  private final AtomicInteger busy = new AtomicInteger();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private Map<Path, Seen> seen = new HashMap<>();
  private long lookMillis = 1000;
  private long pauseMillis = 10_000;
  private long ageMillis;
  private LongSupplier nanoClock = System::nanoTime;

  /** A file as it was found, and since when it is so. */
  private record Seen(String key, long sinceNanos) {}

  /** What a look found: how many files, and whether they are more than there is room for. */
  record Look(int files, boolean isMore) {}

  /** How often a file was tried, and when it is again. */
  private record Retry(int tries, long atNanos) {
    boolean isDue() {
      return System.nanoTime() - atNanos >= 0;
    }
  }

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

  /**
   * Takes files only when they were found unchanged for so long. Their times are no help: they may
   * be by the clock of another machine.
   */
  public Watch age(long millis) {
    ageMillis = millis;
    return this;
  }

  /** Measures by another clock how long files are unchanged. */
  Watch clock(LongSupplier nanos) {
    nanoClock = nanos;
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
   * @param journal where it is noted which of the directory have been taken
   * @param once whether it ends when all that is there has been taken
   * @return how many recordings failed
   */
  public long run(Path journal, boolean once) throws IOException, InterruptedException {
    try {
      if (directory == null) {
        stopped.await();
      } else {
        run(directory, journal, once);
      }
      // Posts under way are finished too, and nothing new begins.
      for (int i = 0; i < workers; i++) {
        idle.take();
      }
    } finally {
      stopped.countDown();
      ended.countDown();
    }
    return figures.failed.get();
  }

  private void run(Path from, Path journal, boolean once) throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    try (Journal done = new Journal(journal)) {
      for (int i = 0; i < workers; i++) {
        Thread thread = new Thread(() -> work(done, once), "buftrail-watch-" + i);
        thread.start();
        threads.add(thread);
      }
      Look last;
      do {
        last = look(from, done, once);
      } while (!(once && !last.isMore && underWay.isEmpty() && retries.isEmpty())
          && !((once || last.isMore)
              ? isStoppedAtWork(last)
              : isStoppedWithin(pauseAfter(last.files))));
      stopped.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** How many milliseconds to pause after a look at so many files, which take a while too. */
  long pauseAfter(int files) {
    return Math.max(lookMillis, Math.min(files * MILLIS_OF_FILE, LONGEST_LOOK_PAUSE));
  }

  private boolean isStoppedWithin(long millis) throws InterruptedException {
    return stopped.await(millis, TimeUnit.MILLISECONDS);
  }

  /**
   * Waits until a look may find something: there is room for more, or nothing is under way and what
   * waits to be tried again is due. Looks beside the work would cost as much as that.
   */
  private boolean isStoppedAtWork(Look last) throws InterruptedException {
    while (!isStoppedWithin(Math.min(20, lookMillis))) {
      // The other half is work for the time of the look.
      boolean isRoom = last.isMore && queue.size() < MOST_WAITING / 2;
      if (isRoom || (underWay.isEmpty() && isAnyDue())) {
        return false;
      }
    }
    return true;
  }

  /** Whether a file is to be tried again now, or none waits for that. */
  private boolean isAnyDue() {
    return retries.isEmpty() || retries.values().stream().anyMatch(Retry::isDue);
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

  Look look(Path from, Journal done, boolean once) {
    boolean isMore = false;
    Map<Path, Seen> now = new HashMap<>();
    List<Path> all = files(from);
    for (Path file : all) {
      // Asked before the journal, in which a worker notes it before it lets go of it.
      boolean isFree = !underWay.contains(file);
      String key = Journal.key(file);
      if (key.isEmpty() || done.contains(key) || left.contains(key)) {
        continue;
      }
      long nanos = nanoClock.getAsLong();
      Seen found = new Seen(key, nanos);
      Seen before = seen.get(file);
      boolean isSame = before != null && before.key.equals(key);
      if (isSame && before != null) {
        found = before;
      }
      boolean isWhole = once || (isSame && isWhole(file, nanos - found.sinceNanos));
      now.put(file, found);
      Retry retry = retries.get(file);
      boolean isDue = retry == null || retry.isDue();
      if (isWhole && isDue && isFree && underWay.add(file) && !queue.offer(file)) {
        underWay.remove(file);
        isMore = true;
      }
    }
    seen = now;
    retries.keySet().retainAll(new HashSet<>(now.keySet()));
    return new Look(all.size(), isMore);
  }

  private boolean isWhole(Path file, long restNanos) {
    if (restNanos < TimeUnit.MILLISECONDS.toNanos(ageMillis)) {
      return false;
    }
    return switch (Readiness.of(file)) {
      case FINISHED -> true;
      // Its writer is dead: a JVM writes into a chunk each second.
      case UNFINISHED ->
          restNanos >= DEAD_NANOS
              && restNanos / DEAD_AGES >= TimeUnit.MILLISECONDS.toNanos(ageMillis);
      case RESERVED -> false;
    };
  }

  private static List<Path> files(Path directory) {
    try {
      return Files.isDirectory(directory)
          ? Recording.matching(List.of(directory)).files()
          : List.of();
    } catch (RecordingException e) {
      // Holds none yet.
      return List.of();
    }
  }

  private void work(Journal done, boolean once) {
    try {
      while (stopped.getCount() > 0) {
        Path file = queue.poll(20, TimeUnit.MILLISECONDS);
        if (file != null) {
          Taker taker = idle.take();
          try {
            work(file, taker, done, once);
          } finally {
            idle.add(taker);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void work(Path file, Taker taker, Journal done, boolean once)
      throws InterruptedException {
    String key = Journal.key(file);
    Content known;
    try {
      known = Content.of(file);
    } catch (IOException e) {
      underWay.remove(file);
      if (Files.exists(file)) {
        putBack(file, key, String.valueOf(e.getMessage()), once);
      }
      return;
    }
    String content = known.id();
    if (!done.begin(content)) {
      // The other worker notes the content, or fails.
      underWay.remove(file);
      return;
    }
    try {
      if (!done.hasContent(content)) {
        take(file, known, file.toString(), taker);
      }
      retries.remove(file);
      note(key, content, done);
    } catch (CommandFailure e) {
      retries.remove(file);
      note(key, content, done);
    } catch (IOException e) {
      if (isOfMemory(e)) {
        // A watch with more memory may take it.
        retries.remove(file);
        left.add(key);
      } else {
        putBack(file, key, String.valueOf(e.getMessage()), once);
      }
    } finally {
      done.end(content);
      underWay.remove(file);
    }
  }

  /** Whether a larger heap may do what failed. */
  static boolean isOfMemory(IOException failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof OutOfMemoryError)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  private void putBack(Path file, String key, String reason, boolean once) {
    Retry before = retries.get(file);
    int tries = before == null ? 1 : before.tries + 1;
    if (once && tries >= MOST_TRIES) {
      left.add(key);
      retries.remove(file);
      fail(file + ": left to the next time after " + tries + " tries: " + reason);
      return;
    }
    figures.retried.incrementAndGet();
    long pause = pauseMillis * Math.min(tries, LONGEST_PAUSE);
    retries.put(file, new Retry(tries, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause)));
    say(file + ": " + reason + "; tried again later");
  }

  private void note(String key, String content, Journal done) {
    try {
      done.add(key, content);
    } catch (IOException e) {
      say("the journal cannot be written: " + e.getMessage());
    }
  }

  /** Whether all workers have something to do. */
  boolean isBusy() {
    return idle.isEmpty();
  }

  /** Notes that a post was refused for lack of a worker. */
  void refused() {
    figures.refused.incrementAndGet();
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
      return false;
    }
    try {
      take(file, null, name, taker);
      return true;
    } finally {
      idle.add(taker);
    }
  }

  private void take(Path file, @Nullable Content content, String name, Taker taker)
      throws IOException, InterruptedException, CommandFailure {
    long start = System.nanoTime();
    busy.incrementAndGet();
    try {
      long size = Files.size(file);
      List<String> damages = taker.take(file, content);
      figures.taken.incrementAndGet();
      figures.bytes.addAndGet(size);
      if (!damages.isEmpty()) {
        figures.damaged.incrementAndGet();
        String first = damages.get(0).replace(file.toString(), name);
        String more = damages.size() == 1 ? "" : " and " + (damages.size() - 1) + " more";
        figures.failure(first + more);
        say(first + more);
      }
    } catch (CommandFailure e) {
      fail(named(e, file, name));
      throw e;
    } catch (IOException e) {
      throw lack(e, file, name);
    } catch (OutOfMemoryError e) {
      String reason = Exit.unexpected(e);
      fail(name + ": " + reason);
      throw new IOException(reason, e);
    } catch (RuntimeException | Error e) {
      // Whatever is wrong with it: the next may be right.
      String line = name + ": " + Exit.unexpected(e);
      fail(line);
      throw new CommandFailure(line, e);
    } finally {
      busy.decrementAndGet();
      figures.nanos.addAndGet(System.nanoTime() - start);
    }
  }

  /**
   * What is to be thrown if this process or another lacks something.
   *
   * @throws CommandFailure if the recording is at fault
   */
  private IOException lack(IOException e, Path file, String name) throws CommandFailure {
    RecordingException known = e instanceof RecordingException unreadable ? unreadable : null;
    if (known != null && known.isOfRecording()) {
      String line = named(e, file, name);
      fail(line);
      throw new CommandFailure(line, e);
    }
    String reason = known == null ? String.valueOf(e.getMessage()) : known.reason();
    if (isOfMemory(e)) {
      fail(name + ": " + reason);
    }
    return new IOException(reason, e);
  }

  private static String named(Exception failure, Path file, String name) {
    return String.valueOf(failure.getMessage()).replace(file.toString(), name);
  }

  private void fail(String line) {
    figures.failed.incrementAndGet();
    figures.failure(line);
    say(line);
  }

  void say(String line) {
    synchronized (terminal) {
      terminal.fail(line);
    }
  }
}
