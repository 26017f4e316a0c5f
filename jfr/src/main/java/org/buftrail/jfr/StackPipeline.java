package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Has the stack traces of a chunk decoded, named and consumed batch by batch, if there is a second
 * processor by two threads: the consumer, which alone takes batches in the end, in the order of the
 * file, and a helper. Both decode and name what is next to be, the consumer while its next batch is
 * not ready.
 *
 * <p>Batches are offered in a ring by the consumer alone. Both threads claim them in that order to
 * decode them, by one counter, so each decoder meets the frames in the order of the file. One
 * thread at a time names, the batches in their order, and one consumes, in that order too: what is
 * written does not depend on who did what.
 *
 * <p>Where one thread has to read the constants alone, it decodes the stack traces when it meets
 * them, and does not pass over them first; they wait in batches until the names are known too.
 * Where their batches end differs, and with it the order in which mapped frames are written.
 */
final class StackPipeline implements Constants.StackReader {
  /** Bytes of stack traces in a batch: so many parts of all, but from 2 to 16 KiB. */
  private static final int PARTS = 32;

  private static final int SMALLEST_BATCH = 1 << 11;
  private static final int LARGEST_BATCH = 1 << 14;

  /** Fewer bytes than that are not worth a second thread. */
  private static final int LEAST_SHARED = 1 << 15;

  /** Batches that are offered or decoded and not consumed yet, at most, but for waiting ones. */
  private static final int AHEAD = 16;

  /** New frames that may wait for their names, each of some 70 bytes; then no more are decoded. */
  private static final int MOST_WAITING = 1 << 16;

  /** With more batches that are claimed and not named, the helper names. */
  private static final int BACKLOG = 2;

  /** How often to look for what the other thread has done before this one sleeps. */
  private static final int SPINS = 2_000;

  private static final long NAP_NANOS = 50_000;

  private final boolean parallel = Runtime.getRuntime().availableProcessors() > 1;
  private final Constants constants;
  private final StackDecoder own = new StackDecoder();
  private final StackDecoder helpers = new StackDecoder();
  private StackBatch[] ring = new StackBatch[AHEAD];
  private final Steps steps;
  private final AtomicInteger claimed = new AtomicInteger();
  private final AtomicBoolean naming = new AtomicBoolean();
  private volatile int offered;
  private volatile int named;

  // Belongs to who holds naming. Nothing is named behind what the consumer stops at.
  private boolean broken;

  private volatile boolean running;
  private StackDecoder.@Nullable Layouts layouts;
  private int rank;
  private long batchBytes;

  // Of stack traces that are decoded when they are met: whether there is a batch for the next, and
  // how many bytes it has; how many new frames wait, and in how many batches. The methods of these
  // are looked up when they are named.
  private boolean isOpen;
  private int openBytes;
  private int waitingFrames;
  private int waiting;
  private @Nullable Window helperWindow;

  /** What is done with batches that have been decoded; the two at once, by two threads. */
  interface Steps {
    /** Names the next batch, which may be the other thread's to consume. */
    void name(StackBatch batch);

    /** Takes the next batch that has been named, of which this is the last use. */
    void consume(StackBatch batch);
  }

  /**
   * @param constants whose stack traces are decoded
   */
  StackPipeline(Constants constants, Steps steps) {
    this.constants = constants;
    this.steps = steps;
    for (int i = 0; i < AHEAD; i++) {
      ring[i] = new StackBatch();
    }
  }

  /** Prepares to decode stack traces as they are met, before {@link #run} decodes those left. */
  void prepare(StackDecoder.Layouts newLayouts) {
    layouts = newLayouts;
    begin();
  }

  @Override
  public boolean read(Window window) throws DamageException {
    int next = offered;
    if (!isOpen) {
      if (next == ring.length) {
        addBatches();
      }
      ring[next].begin(rank, rank);
      own.begin(ring[next]);
      openBytes = 0;
      isOpen = true;
    }
    int start = window.position;
    own.read(window, Objects.requireNonNull(layouts), ring[next], window.limit);
    rank++;
    openBytes += window.position - start;
    if (openBytes >= LARGEST_BATCH) {
      endBatch();
    }
    return waitingFrames <= MOST_WAITING;
  }

  private void endBatch() {
    int next = offered;
    own.end(Objects.requireNonNull(layouts), ring[next]);
    isOpen = false;
    waiting++;
    waitingFrames += ring[next].frames;
    claimed.set(next + 1);
    offered = next + 1;
  }

  /** Makes the ring larger; nothing in it may have been consumed. */
  private void addBatches() {
    StackBatch[] larger = Arrays.copyOf(ring, ring.length * 2);
    for (int i = ring.length; i < larger.length; i++) {
      larger[i] = new StackBatch();
    }
    ring = larger;
  }

  /**
   * Decodes every stack trace that was asked for and found, up to the first that is damaged, unless
   * they have been decoded as they were met.
   *
   * @param forks whether a second thread is started
   */
  void run(Window window, StackDecoder.Layouts newLayouts, boolean forks)
      throws IOException, DamageException {
    layouts = newLayouts;
    if (!constants.decodesStacks()) {
      begin();
    } else if (isOpen) {
      endBatch();
    }
    Window twin = forks ? twin(window) : null;
    ForkJoinTask<?> helper = null;
    batchBytes = Math.max(SMALLEST_BATCH, Math.min(LARGEST_BATCH, length() / PARTS));
    offer(0);
    running = true;
    try {
      if (twin != null) {
        helper = ForkJoinPool.commonPool().submit(() -> help(twin));
      }
      consume(window);
    } finally {
      running = false;
      if (helper != null && !helper.tryUnfork()) {
        helper.quietlyJoin();
      }
    }
  }

  /** Decodes and names for another thread, from when it begins until it is through. */
  void help(Window window, Future<?> other) {
    for (int spins = 0; !running && !other.isDone(); spins++) {
      pause(spins);
    }
    help(window);
  }

  private void begin() {
    own.begin();
    helpers.begin();
    rank = 0;
    offered = 0;
    isOpen = false;
    waiting = 0;
    waitingFrames = 0;
    named = 0;
    broken = false;
    claimed.set(0);
  }

  /** Offers as many batches as there is room for. */
  private void offer(int consumed) {
    WantedPool wanted = constants.stacks;
    for (int next = offered; rank < wanted.found() && next - consumed < AHEAD; next++) {
      int end = rankAfter(wanted, rank);
      ring[next % ring.length].begin(rank, end);
      rank = end;
      offered = next + 1;
    }
  }

  private void consume(Window window) throws IOException, DamageException {
    for (int next = 0; next < offered; ) {
      for (int spins = 0; named <= next; spins++) {
        if (nameNext() || decodeNext(own, window)) {
          spins = 0;
        } else {
          pause(spins);
        }
      }
      StackBatch batch = ring[next % ring.length];
      batch.checkFailure();
      steps.consume(batch);
      batch.checkDamage();
      offer(++next);
    }
  }

  private void help(Window window) {
    for (int spins = 0; running; spins++) {
      // The tables of names are better left to one thread, unless it does not keep up.
      boolean isBehind = claimed.get() - named > BACKLOG;
      if ((isBehind && nameNext()) || decodeNext(helpers, window) || nameNext()) {
        spins = 0;
      } else {
        pause(spins);
      }
    }
  }

  /** Names the next batch, if it has been decoded and nobody else names; false if not. */
  private boolean nameNext() {
    if (!isNextDecoded() || !naming.compareAndSet(false, true)) {
      return false;
    }
    try {
      // The other thread may have named it in between.
      if (broken || !isNextDecoded()) {
        return false;
      }
      int next = named;
      StackBatch batch = ring[next % ring.length];
      try {
        if (!batch.hasFailed()) {
          if (next < waiting) {
            StackDecoder.lookUpMethods(constants.methods, batch);
          }
          steps.name(batch);
        }
      } catch (RuntimeException | Error e) {
        // The thread that waits for the batch must learn of it.
        batch.fail(e);
      }
      broken = batch.isBroken();
      named = next + 1;
      return true;
    } finally {
      naming.set(false);
    }
  }

  private boolean isNextDecoded() {
    int next = named;
    return next < offered && ring[next % ring.length].isFinished();
  }

  private static void pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(NAP_NANOS);
    }
  }

  /** Decodes the next batch that nobody has taken; false if there is none. */
  private boolean decodeNext(StackDecoder decoder, Window window) {
    int next = claimed.get();
    while (next < offered) {
      if (claimed.compareAndSet(next, next + 1)) {
        decoder.decode(
            window, Objects.requireNonNull(layouts), constants, ring[next % ring.length]);
        return true;
      }
      next = claimed.get();
    }
    return false;
  }

  /** The window of the second thread, or null if there is to be none. */
  private @Nullable Window twin(Window window) throws IOException {
    long length = length();
    if (!parallel || length < LEAST_SHARED) {
      return null;
    }
    long from = constants.stacks.offset(constants.stacks.inOrder(0));
    Window twin = window.twin(from, from + length, helperWindow);
    helperWindow = twin.bytes == window.bytes ? helperWindow : twin;
    return twin;
  }

  /** Bytes from the first stack trace to the end of the last. */
  private long length() {
    WantedPool wanted = constants.stacks;
    if (wanted.found() == 0) {
      return 0;
    }
    int last = wanted.inOrder(wanted.found() - 1);
    return wanted.offset(last) + wanted.length(last) - wanted.offset(wanted.inOrder(0));
  }

  /** The rank behind the stack traces of a batch. */
  private int rankAfter(WantedPool wanted, int from) {
    int rank = from;
    for (long sum = 0; rank < wanted.found() && sum < batchBytes; rank++) {
      sum += wanted.length(wanted.inOrder(rank));
    }
    return rank;
  }
}
