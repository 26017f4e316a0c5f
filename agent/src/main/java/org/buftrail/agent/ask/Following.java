package org.buftrail.agent.ask;

import java.util.concurrent.TimeUnit;
import org.buftrail.flow.base.ServiceThread;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a snapshot every so many seconds in a system property, which {@code top} reads over the
 * attach socket: {@code NONCE NUMBER SNAPSHOT}. It ends with the process that asked, and after an
 * hour, when {@code top} asks again.
 */
final class Following {
  private static final String PROPERTY = "buftrail.reply";
  private static final long MOST_NANOS = TimeUnit.HOURS.toNanos(1);

  /** How soon it is seen that nobody looks any more. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Questions questions;
  private final String nonce;
  private final long everyNanos;
  private final long pid;
  private final long begin = System.nanoTime();
  private long next;
  private int number;
  private @Nullable String left;
  private @Nullable ServiceThread thread;

  Following(Questions questions, String nonce, int seconds, long pid) {
    this.questions = questions;
    this.nonce = nonce;
    this.everyNanos = TimeUnit.SECONDS.toNanos(seconds);
    this.pid = pid;
    this.next = begin + everyNanos;
  }

  void start() {
    thread = ServiceThread.start("buftrail-top", this::round);
  }

  /** Returns at once. */
  void end() {
    ServiceThread running = thread;
    if (running != null) {
      running.end();
    }
  }

  private ServiceThread.Outcome round() throws Exception {
    long now = System.nanoTime();
    boolean isOver = now - begin > MOST_NANOS || !ProcessHandle.of(pid).isPresent();
    if (isOver) {
      if (left != null) {
        System.getProperties().remove(PROPERTY, left);
      }
      return ServiceThread.Outcome.ENDED;
    }
    if (now - next < 0) {
      TimeUnit.NANOSECONDS.sleep(Math.min(LOOK_NANOS, next - now));
      return ServiceThread.Outcome.NOTHING;
    }
    next += everyNanos;
    number++;
    String text = String.join(" ", nonce, Integer.toString(number), questions.snapshot("json"));
    System.setProperty(PROPERTY, text);
    left = text;
    return ServiceThread.Outcome.DONE;
  }
}
