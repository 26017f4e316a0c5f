package org.buftrail.jfr;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Has the stack traces of a chunk decoded batch by batch, if there is a second processor by two
 * threads: the consumer, which takes decoded batches in the order of the file and decodes while the
 * next of them is not ready, and a helper, which only decodes.
 *
 * <p>Batches are offered in a ring by the consumer alone, and both threads claim them in that
 * order, by one counter. So each decoder meets the frames in the order of the file, and what a
 * batch refers to is in it or in one that was consumed before: the result does not depend on who
 * decoded what.
 */
final class StackPipeline {
  /** Bytes of stack traces in a batch. */
  private static final int BATCH = 1 << 14;

  /** Fewer bytes than that are not worth a second thread. */
  private static final int LEAST_SHARED = 1 << 16;

  /** Batches that are offered or decoded and not consumed yet, at most. */
  private static final int AHEAD = 16;

  /** How often to look for what the other thread has done before this one sleeps. */
  private static final int SPINS = 2_000;

  private static final long NAP_NANOS = 50_000;

  private final boolean parallel = Runtime.getRuntime().availableProcessors() > 1;
  private final Constants constants;
  private final StackDecoder own = new StackDecoder();
  private final StackDecoder helpers = new StackDecoder();
  private final StackBatch[] ring = new StackBatch[AHEAD];
  private final AtomicInteger claimed = new AtomicInteger();
  private volatile int offered;
  private volatile boolean running;
  private StackDecoder.@Nullable Layouts layouts;
  private int rank;
  private @Nullable Window helperWindow;

  /** Takes batches that have been decoded. */
  interface Consumer {
    /** The next batch, of which this is the last use. */
    void consume(StackBatch batch);
  }

  /**
   * @param constants whose stack traces are decoded
   */
  StackPipeline(Constants constants) {
    this.constants = constants;
    for (int i = 0; i < AHEAD; i++) {
      ring[i] = new StackBatch();
    }
  }

  /**
   * Decodes every stack trace that was asked for and found, up to the first that is damaged.
   *
   * @param forks whether a second thread is started
   */
  void run(Window window, StackDecoder.Layouts newLayouts, Consumer consumer, boolean forks)
      throws IOException, DamageException {
    layouts = newLayouts;
    Window twin = forks ? twin(window) : null;
    begin();
    ForkJoinTask<?> helper =
        twin == null ? null : ForkJoinPool.commonPool().submit(() -> help(twin));
    try {
      consume(window, consumer);
    } finally {
      running = false;
      if (helper != null && !helper.tryUnfork()) {
        helper.quietlyJoin();
      }
    }
  }

  /** Decodes for another thread, from when it begins until it is through. */
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
    claimed.set(0);
    offer(0);
    running = true;
  }

  /** Offers as many batches as there is room for. */
  private void offer(int consumed) {
    WantedPool wanted = constants.stacks;
    for (int next = offered; rank < wanted.found() && next - consumed < AHEAD; next++) {
      int end = rankAfter(wanted, rank);
      ring[next % AHEAD].begin(rank, end);
      rank = end;
      offered = next + 1;
    }
  }

  private void consume(Window window, Consumer consumer) throws IOException, DamageException {
    for (int next = 0; next < offered; ) {
      StackBatch batch = ring[next % AHEAD];
      for (int spins = 0; !batch.isFinished(); spins++) {
        if (!decodeNext(own, window)) {
          pause(spins);
        }
      }
      batch.checkFailure();
      consumer.consume(batch);
      batch.checkDamage();
      offer(++next);
    }
  }

  private void help(Window window) {
    for (int spins = 0; running; spins++) {
      if (decodeNext(helpers, window)) {
        spins = 0;
      } else {
        pause(spins);
      }
    }
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
        decoder.decode(window, Objects.requireNonNull(layouts), constants, ring[next % AHEAD]);
        return true;
      }
      next = claimed.get();
    }
    return false;
  }

  /** The window of the second thread, or null if there is to be none. */
  private @Nullable Window twin(Window window) throws IOException {
    WantedPool wanted = constants.stacks;
    if (!parallel || wanted.found() == 0) {
      return null;
    }
    int last = wanted.inOrder(wanted.found() - 1);
    long from = wanted.offset(wanted.inOrder(0));
    long to = wanted.offset(last) + wanted.length(last);
    if (to - from < LEAST_SHARED) {
      return null;
    }
    Window twin = window.twin(from, to, helperWindow);
    helperWindow = twin.bytes == window.bytes ? helperWindow : twin;
    return twin;
  }

  /** The rank behind the stack traces of a batch. */
  private static int rankAfter(WantedPool wanted, int from) {
    int rank = from;
    for (long sum = 0; rank < wanted.found() && sum < BATCH; rank++) {
      sum += wanted.length(wanted.inOrder(rank));
    }
    return rank;
  }
}
