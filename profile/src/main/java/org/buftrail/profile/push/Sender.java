package org.buftrail.profile.push;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends one request after the other and says what became of each. */
public final class Sender {
  private final PushTarget target;

  /** What became of a request. */
  public enum Fate {
    /** The receiver has it. */
    ACCEPTED,
    /** The receiver does not have it and may take it later. */
    LATER,
    /** The receiver does not want it. */
    REFUSED,
    /**
     * No secure connection can be made: the certificate is wrong, or the receiver does not speak
     * TLS. Trying again helps only after somebody has mended that.
     */
    INSECURE,
    /** It was sent and no answer came: sent again it might be there twice. */
    UNCERTAIN
  }

  /** A fate with its reason. Immutable. */
  public static final class Outcome {
    private final Fate fate;
    private final String reason;
    private final String warning;
    private final long waitSeconds;
    private final int status;

    private Outcome(Fate fate, String reason, String warning, long waitSeconds, int status) {
      this.fate = fate;
      this.reason = reason;
      this.warning = warning;
      this.waitSeconds = waitSeconds;
      this.status = status;
    }

    static Outcome of(Fate fate, String reason) {
      return new Outcome(fate, reason, "", -1, 0);
    }

    static Outcome later(String reason, long waitSeconds) {
      return new Outcome(Fate.LATER, reason, "", waitSeconds, 0);
    }

    static Outcome refused(String reason, int status) {
      return new Outcome(Fate.REFUSED, reason, "", -1, status);
    }

    static Outcome accepted(PartialSuccess said) {
      return new Outcome(Fate.ACCEPTED, said.rejection(), said.warning(), -1, 0);
    }

    /** What became of it. */
    public Fate fate() {
      return fate;
    }

    /** Why it is not there, or not all of it: one line, empty when there is nothing to tell. */
    public String reason() {
      return reason;
    }

    /** What the receiver remarks though it has all: one line, empty when there is nothing. */
    public String warning() {
      return warning;
    }

    /** Seconds that the receiver asks to wait, or -1. */
    public long waitSeconds() {
      return waitSeconds;
    }

    /** The status with which it was refused, or 0. */
    public int status() {
      return status;
    }
  }

  /**
   * @param target where to
   */
  public Sender(PushTarget target) {
    this.target = target;
  }

  /**
   * Sends a request and waits for the answer, no longer than the target's time-out.
   *
   * @param body a message as {@link org.buftrail.profile.otlp.write.OtlpWriter} writes it, packed
   *     if the target says so
   */
  public Outcome send(byte[] body) {
    Exchange exchange = new Exchange(target, body);
    Future<Outcome> answer;
    try {
      answer = exchange.start();
    } catch (OutOfMemoryError e) {
      return Outcome.of(Fate.LATER, "no thread can be started");
    }
    return await(exchange, answer);
  }

  private Outcome await(Exchange exchange, Future<Outcome> answer) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(target.timeoutMillis());
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          // Whether it arrived is known only when the exchange has ended.
          interrupted = true;
        }
      }
    } catch (TimeoutException e) {
      return exchange.abandon();
    } catch (ExecutionException e) {
      // Out of memory, so that not even the reason could be kept.
      return exchange.abandon();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
