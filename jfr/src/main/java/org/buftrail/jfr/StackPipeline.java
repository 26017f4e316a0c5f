package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
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
 * decode them, by one counter, so each decoder meets the frames in the order of the file. Methods
 * are looked up by whoever has time. One thread at a time names, the batches in their order, and
 * one consumes, in that order too: what is written does not depend on who did what.
 *
 * <p>While the consumer still reads other constants, the helper may decode the stack traces that
 * have been found ({@link #open}), or the consumer decodes them itself ({@link StacksWhenMet}).
 * Where batches end differs with it, and so does the order in which mapped frames are written.
 */
final class StackPipeline implements Constants.StackListener {
  /** Bytes of stack traces in a batch: so many parts of all, but from 2 to 16 KiB. */
  private static final int PARTS = 32;

  private static final int SMALLEST_BATCH = 1 << 11;
  static final int LARGEST_BATCH = 1 << 14;

  /** Fewer bytes than that are not worth a second thread. */
  static final int LEAST_SHARED = 1 << 15;

  /** Batches that are offered and not consumed yet, at most, once any can be consumed. */
  private static final int AHEAD = 16;

  /** Batches that are offered while stack traces are still being found, at most. */
  private static final int MOST_EARLY = 256;

  /** New frames that may wait for their names, each of some 70 bytes; then no more are decoded. */
  static final int MOST_WAITING = 1 << 16;

  /** With more batches that are claimed and not named, the helper names. */
  private static final int BACKLOG = 2;

  /** How often to look for what the other thread has done before this one gives way to others. */
  private static final int SPINS = 1_000;

  /** And how often it does before it sleeps, which takes longer than most of what it waits for. */
  private static final int YIELDS = 1_000;

  private static final long NAP_NANOS = 50_000;

  private final boolean parallel = Runtime.getRuntime().availableProcessors() > 1;
  private final Constants constants;
  private final StackDecoder own = new StackDecoder();
  private final StackDecoder helpers = new StackDecoder();
  private volatile StackBatch[] ring = new StackBatch[AHEAD];
  private final Steps steps;
  private final AtomicInteger claimed = new AtomicInteger();
  private final AtomicInteger lookUps = new AtomicInteger();
  private final AtomicBoolean naming = new AtomicBoolean();
  private volatile int offered;
  private volatile int named;

  // Whether methods can be looked up, and how many batches may have been decoded before that.
  private volatile boolean methodsAreKnown;
  private volatile int claimedEarly;

  // How many batches were offered before any could be consumed, and how many frames of these were
  // new to who decoded them.
  private volatile int offeredEarly;
  private final AtomicInteger waitingFrames = new AtomicInteger();

  // Belongs to who holds naming. Nothing is named behind what the consumer stops at.
  private boolean broken;

  private volatile boolean running;
  private StackDecoder.@Nullable Layouts layouts;
  private boolean hasBegun;
  private int rank;
  private long batchBytes;
  private long foundBytes;
  private @Nullable OfferedWork helper;
  private @Nullable Window helperWindow;

  /** What is done with batches that have been decoded; the two at once, by two threads. */
  interface Steps {
    /** Is done first, when all constants have been read; meanwhile nobody names. */
    void prepare();

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

  /** Forgets the chunk before; the next {@link #run} or {@link #stop} ends what begins here. */
  void begin(StackDecoder.Layouts newLayouts) {
    layouts = newLayouts;
    own.begin();
    helpers.begin();
    rank = 0;
    foundBytes = 0;
    offered = 0;
    named = 0;
    claimedEarly = 0;
    offeredEarly = Integer.MAX_VALUE;
    waitingFrames.set(0);
    broken = false;
    methodsAreKnown = false;
    claimed.set(0);
    lookUps.set(0);
    naming.set(true);
    hasBegun = true;
  }

  /**
   * Offers stack traces as they are found, so that they are decoded before {@link #run}.
   *
   * @param bytes of all constants
   * @param twin on all of these, for another thread that is to be started; null if there is one
   */
  void open(StackDecoder.Layouts newLayouts, long bytes, @Nullable Window twin) {
    begin(newLayouts);
    batchBytes = batchBytes(bytes);
    running = true;
    if (twin != null) {
      start(twin);
    }
  }

  @Override
  public void found(int bytes) {
    foundBytes += bytes;
    if (foundBytes >= batchBytes && offered < MOST_EARLY) {
      int end = constants.stacks.found();
      foundBytes = 0;
      next().begin(rank, end);
      addNext(end);
    }
  }

  /** The decoder of the thread that runs the pipeline. */
  StackDecoder decoder() {
    return own;
  }

  /** The batch to be offered next, before any can be consumed. */
  StackBatch next() {
    StackBatch[] batches = ring;
    if (offered == batches.length) {
      batches = Arrays.copyOf(batches, batches.length * 2);
      for (int i = offered; i < batches.length; i++) {
        batches[i] = new StackBatch();
      }
      ring = batches;
    }
    return batches[offered];
  }

  /**
   * Takes the next batch as decoded.
   *
   * @param newRank of the stack trace that comes behind it
   */
  void addDecoded(int newRank) {
    claimed.set(offered + 1);
    addNext(newRank);
  }

  private void addNext(int newRank) {
    int next = offered;
    rank = newRank;
    offered = next + 1;
  }

  /**
   * Decodes every stack trace that was asked for and found, up to the first that is damaged, and
   * consumes them. All constants must have been read.
   *
   * @param newLayouts those that the pipeline was begun with, if it was
   * @param forks whether a second thread is started, if there is none
   */
  void run(Window window, StackDecoder.Layouts newLayouts, boolean forks)
      throws IOException, DamageException {
    if (!hasBegun) {
      begin(newLayouts);
    }
    batchBytes = batchBytes(length());
    offeredEarly = offered;
    claimedEarly = claimed.get();
    methodsAreKnown = true;
    try {
      Window twin = forks && helper == null ? twin(window) : null;
      offer(0);
      running = true;
      if (twin != null) {
        start(twin);
      }
      steps.prepare();
      naming.set(false);
      consume(window);
    } finally {
      stop();
    }
  }

  /** Sees to it that no thread that was started here decodes any more. */
  void stop() {
    running = false;
    hasBegun = false;
    OfferedWork started = helper;
    helper = null;
    if (started != null) {
      started.stop();
    }
  }

  /** Decodes and names for another thread, from when it begins until it is through. */
  void help(Window window, OfferedWork other) {
    for (int spins = 0; !running && !other.isThrough(); spins++) {
      pause(spins);
    }
    help(window);
  }

  /** Offers as many batches as there is room for. */
  private void offer(int consumed) {
    WantedPool wanted = constants.stacks;
    for (int next = offered; rank < wanted.found() && next - consumed < AHEAD; next++) {
      int end = rankAfter(wanted, rank);
      batch(next).begin(rank, end);
      rank = end;
      offered = next + 1;
    }
  }

  /** A batch by its number: early ones each have a place, the others take turns in the first. */
  private StackBatch batch(int number) {
    return ring[number < offeredEarly ? number : number % AHEAD];
  }

  private void consume(Window window) throws IOException, DamageException {
    for (int next = 0; next < offered; ) {
      for (int spins = 0; named <= next; spins++) {
        if (nameNext() || lookUpNext() || decodeNext(own, window)) {
          spins = 0;
        } else {
          pause(spins);
        }
      }
      StackBatch batch = batch(next);
      batch.checkFailure();
      steps.consume(batch);
      batch.checkDamage();
      offer(++next);
    }
  }

  private void start(Window window) {
    helper = new OfferedWork(() -> help(window));
  }

  private void help(Window window) {
    for (int spins = 0; running; spins++) {
      // The tables of names are better left to one thread, unless it does not keep up.
      boolean isBehind = claimed.get() - named > BACKLOG;
      if ((isBehind && nameNext()) || lookUpNext() || decodeNext(helpers, window) || nameNext()) {
        spins = 0;
      } else {
        pause(spins);
      }
    }
  }

  /** Names the next batch, if it has been decoded and nobody else names; false if not. */
  private boolean nameNext() {
    if (naming.get() || !makeNextReady() || !naming.compareAndSet(false, true)) {
      return false;
    }
    try {
      // The other thread may have named it in between.
      if (broken || !makeNextReady()) {
        return false;
      }
      int next = named;
      StackBatch batch = batch(next);
      try {
        if (!batch.hasFailed()) {
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

  /**
   * Whether the next batch can be named. Looks its methods up if nobody has: not all that were
   * decoded before methods were known are among the early ones.
   */
  private boolean makeNextReady() {
    int next = named;
    if (!methodsAreKnown || next >= offered) {
      return false;
    }
    StackBatch batch = batch(next);
    batch.lookUp(constants.methods);
    return batch.isReady();
  }

  /** Looks up the methods of a batch that was decoded too early for it; false if there is none. */
  private boolean lookUpNext() {
    while (lookUps.get() < claimedEarly) {
      int next = lookUps.getAndIncrement();
      if (next < claimedEarly && batch(next).lookUp(constants.methods)) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("ThreadPriorityCheck") // Nothing depends on it.
  private static void pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else if (spins < SPINS + YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(NAP_NANOS);
    }
  }

  /** Decodes the next batch that nobody has taken; false if there is none. */
  private boolean decodeNext(StackDecoder decoder, Window window) {
    if (!methodsAreKnown && waitingFrames.get() > MOST_WAITING) {
      return false;
    }
    int next = claimed.get();
    while (next < offered) {
      if (claimed.compareAndSet(next, next + 1)) {
        StackBatch batch = batch(next);
        decoder.decode(window, Objects.requireNonNull(layouts), constants.stacks, batch);
        if (methodsAreKnown) {
          batch.lookUp(constants.methods);
        } else {
          waitingFrames.addAndGet(batch.frames);
        }
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

  private static long batchBytes(long bytes) {
    return Math.max(SMALLEST_BATCH, Math.min(LARGEST_BATCH, bytes / PARTS));
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
