package org.buftrail.jfr;

import java.io.IOException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Has the stack traces of a chunk decoded batch by batch, if there is a second processor by two
 * threads: one that decodes, and the caller's, which takes decoded batches in the order of the file
 * and decodes too while the next of them is not ready.
 *
 * <p>Batches are offered in a ring by the caller's thread alone, and both threads claim them in
 * that order, by one counter. So each decoder meets the frames in the order of the file, and what a
 * batch refers to is in it or in one that was consumed before: the result does not depend on who
 * decoded what.
 */
final class StackPipeline {
  /** Bytes of stack traces in a batch. */
  private static final int BATCH = 1 << 17;

  /** Fewer bytes than that are not worth a second thread. */
  private static final int LEAST_SHARED = 1 << 16;

  /** Batches that are offered or decoded and not consumed yet, at most. */
  private static final int AHEAD = 4;

  private final boolean parallel = Runtime.getRuntime().availableProcessors() > 1;
  private final StackDecoder own = new StackDecoder();
  private final StackDecoder helpers = new StackDecoder();
  private final StackBatch[] ring = new StackBatch[AHEAD];
  private final AtomicInteger offered = new AtomicInteger();
  private final AtomicInteger claimed = new AtomicInteger();
  private @Nullable ForkJoinTask<?> helper;
  private @Nullable Window helperWindow;

  /** Takes batches that have been decoded. */
  interface Consumer {
    /** The next batch, of which this is the last use. */
    void consume(StackBatch batch);
  }

  StackPipeline() {
    for (int i = 0; i < AHEAD; i++) {
      ring[i] = new StackBatch();
    }
  }

  /** Decodes every stack trace that was asked for and found, up to the first that is damaged. */
  void run(Window window, StackDecoder.Layouts layouts, Constants constants, Consumer consumer)
      throws IOException, DamageException {
    WantedPool wanted = constants.stacks;
    own.begin();
    helpers.begin();
    offered.set(0);
    claimed.set(0);
    Window twin = twin(window, wanted);
    int rank = 0;
    int consumed = 0;
    try {
      while (true) {
        while (rank < wanted.found() && offered.get() - consumed < AHEAD) {
          int end = rankAfter(wanted, rank);
          ring[offered.get() % AHEAD].begin(rank, end);
          offered.incrementAndGet();
          rank = end;
        }
        if (consumed == offered.get()) {
          return;
        }
        StackBatch batch = ring[consumed % AHEAD];
        while (!batch.isFinished()) {
          advance(window, twin, layouts, constants);
        }
        consumer.consume(batch);
        batch.check();
        consumed++;
      }
    } finally {
      stop();
    }
  }

  /** The window of the second thread, or null if there is to be none. */
  private @Nullable Window twin(Window window, WantedPool wanted) throws IOException {
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

  /** Decodes a batch, or waits for the other thread if there is none to decode. */
  private void advance(
      Window window, @Nullable Window twin, StackDecoder.Layouts layouts, Constants constants) {
    ForkJoinTask<?> task = helper;
    if (twin != null && (task == null || task.isDone())) {
      if (task != null) {
        task.join();
      }
      task = ForkJoinPool.commonPool().submit(() -> help(twin, layouts, constants));
      helper = task;
    }
    StackBatch batch = claim();
    if (batch != null) {
      own.decode(window, layouts, constants, batch);
    } else if (task != null) {
      task.join();
    }
  }

  private void help(Window twin, StackDecoder.Layouts layouts, Constants constants) {
    for (StackBatch batch = claim(); batch != null; batch = claim()) {
      helpers.decode(twin, layouts, constants, batch);
    }
  }

  /** The next batch that nobody has taken, which the caller is to decode; null if there is none. */
  private @Nullable StackBatch claim() {
    int next = claimed.get();
    while (next < offered.get()) {
      if (claimed.compareAndSet(next, next + 1)) {
        return ring[next % AHEAD];
      }
      next = claimed.get();
    }
    return null;
  }

  /** Leaves nothing to decode, and waits until the other thread has come to its end. */
  private void stop() {
    claimed.set(offered.get());
    ForkJoinTask<?> task = helper;
    if (task != null) {
      task.quietlyJoin();
      helper = null;
    }
  }
}
