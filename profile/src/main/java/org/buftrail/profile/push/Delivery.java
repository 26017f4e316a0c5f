package org.buftrail.profile.push;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.write.OtlpSplitter;
import org.buftrail.profile.otlp.write.OtlpWriter;

/**
 * Sends profiles and waits until the receiver has them: in parts that are not too large, each sent
 * again while the receiver asks for that, until a time has passed. Belongs to one thread.
 */
public final class Delivery {
  /** The largest part, in bytes of protobuf; receivers take 64 MiB. */
  public static final long LARGEST_PART = 60L << 20;

  private final PushTarget target;
  private final Transport transport;
  private final Clock clock;
  private final Backoff backoff;
  private final OtlpWriter writer = new OtlpWriter();
  private final long largestPart;
  private final long patienceMillis;
  private int requests;
  private int retries;
  private long bytes;
  private String partial = "";
  private String warning = "";

  /** Sends one request. */
  interface Transport {
    Sender.Outcome send(byte[] body);
  }

  /** The time between requests. */
  interface Clock {
    Clock SYSTEM =
        new Clock() {
          @Override
          public long nanoTime() {
            return System.nanoTime();
          }

          @Override
          public void sleep(long millis) throws InterruptedException {
            Thread.sleep(millis);
          }
        };

    long nanoTime();

    void sleep(long millis) throws InterruptedException;
  }

  /**
   * @param target where to
   * @param largestPart bytes of protobuf in one request, at most
   * @param patienceMillis how long one request is tried
   */
  public Delivery(PushTarget target, long largestPart, long patienceMillis) {
    this(
        target, new Sender(target)::send, Clock.SYSTEM, new Backoff(), largestPart, patienceMillis);
  }

  /**
   * A delivery that tries each request for a minute. Headers, time-out and compression are those of
   * the environment, as {@link PushTarget} reads it.
   *
   * @param endpoint a URL, such as {@code http://collector:4318}
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  public static Delivery to(String endpoint) {
    PushTarget target = PushTarget.of(endpoint, "endpoint", System.getenv());
    return new Delivery(target, LARGEST_PART, TimeUnit.MINUTES.toMillis(1));
  }

  /** One with another transport and time. */
  Delivery(
      PushTarget target,
      Transport transport,
      Clock clock,
      Backoff backoff,
      long largestPart,
      long patienceMillis) {
    this.target = target;
    this.transport = transport;
    this.clock = clock;
    this.backoff = backoff;
    this.largestPart = largestPart;
    this.patienceMillis = patienceMillis;
  }

  /**
   * Sends profiles, split if they are too large for one request.
   *
   * @throws IOException if the receiver does not take them, or is not reached in time
   * @throws IllegalArgumentException if one sample is larger than a part may be
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void send(Profiles profiles) throws IOException, InterruptedException {
    send(List.of(profiles));
  }

  /**
   * Sends several as {@link #send(Profiles)} does. All are encoded before the first is sent.
   *
   * @throws IOException if the receiver does not take them, or is not reached in time; it says how
   *     many requests were taken before
   * @throws IllegalArgumentException if one sample is larger than a part may be
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void send(List<Profiles> all) throws IOException, InterruptedException {
    List<byte[]> parts = new ArrayList<>();
    OtlpSplitter splitter = new OtlpSplitter(largestPart);
    for (Profiles profiles : all) {
      splitter.split(profiles, part -> parts.add(writer.toByteArray(part)));
    }
    for (int taken = 0; taken < parts.size(); taken++) {
      try {
        send(parts.get(taken));
      } catch (RefusedException e) {
        throw taken == 0 ? e : e.with(before(taken, parts.size()));
      } catch (IOException e) {
        String message = String.valueOf(e.getMessage());
        throw taken == 0 ? e : new IOException(message + before(taken, parts.size()), e);
      }
    }
  }

  private static String before(int taken, int all) {
    return "; "
        + taken
        + " of "
        + all
        + (taken == 1 ? " requests was" : " requests were")
        + " taken before";
  }

  /**
   * Sends a message as it is.
   *
   * @throws RefusedException if the receiver does not want it
   * @throws IOException if the receiver does not take it, or is not reached in time
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void send(byte[] message) throws IOException, InterruptedException {
    byte[] body = target.isGzip() ? pack(message) : message;
    long start = clock.nanoTime();
    backoff.reset();
    for (int tries = 1; ; tries++) {
      Sender.Outcome outcome = transport.send(body);
      if (outcome.fate() == Sender.Fate.ACCEPTED) {
        requests++;
        bytes += body.length;
        partial = partial.isEmpty() ? outcome.reason() : partial;
        warning = warning.isEmpty() ? outcome.warning() : warning;
        return;
      }
      long tried = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - start);
      long left = patienceMillis - tried;
      if (outcome.fate() == Sender.Fate.REFUSED) {
        throw new RefusedException(describe(outcome, tries, tried), outcome.status());
      }
      if (outcome.fate() != Sender.Fate.LATER || left <= 0 || left < Backoff.leastMillis(outcome)) {
        throw new IOException(describe(outcome, tries, tried));
      }
      retries++;
      // Cut, so that the last try is when the time is over and not long before.
      clock.sleep(Math.min(left, backoff.next(outcome)));
    }
  }

  private String describe(Sender.Outcome outcome, int tries, long millis) {
    switch (outcome.fate()) {
      case REFUSED:
        return "the receiver refuses it: " + outcome.reason();
      case INSECURE:
        return outcome.reason() + "; not tried again, since that would not mend it";
      case UNCERTAIN:
        return "no answer, it may have arrived: " + outcome.reason();
      default:
        return "the receiver does not take it now: "
            + outcome.reason()
            + (tries == 1 ? "; tried once" : "; tried " + tries + " times")
            + String.format(Locale.ROOT, " in %.1f s", millis / 1_000.0)
            + asked(outcome, patienceMillis - millis);
    }
  }

  private String asked(Sender.Outcome outcome, long leftMillis) {
    long least = Backoff.leastMillis(outcome);
    return least == 0 || leftMillis >= least
        ? ""
        : ", since it asks to wait "
            + outcome.waitSeconds()
            + " s and --give-up is "
            + TimeUnit.MILLISECONDS.toSeconds(patienceMillis)
            + " s";
  }

  private static byte[] pack(byte[] message) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(message.length / 4);
    try (OutputStream out = new GZIPOutputStream(packed, 1 << 16)) {
      out.write(message);
    }
    return packed.toByteArray();
  }

  /** Requests that were taken. */
  public int requests() {
    return requests;
  }

  /** How many times a request was sent again. */
  public int retries() {
    return retries;
  }

  /** Bytes that were taken, as sent. */
  public long bytes() {
    return bytes;
  }

  /** What the receiver first said that it did not keep, in one line; empty if it kept all. */
  public String partial() {
    return partial;
  }

  /** What the receiver first remarked though it kept all, in one line; empty if nothing. */
  public String warning() {
    return warning;
  }
}
