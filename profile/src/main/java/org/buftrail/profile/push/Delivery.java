package org.buftrail.profile.push;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.OtlpSplitter;
import org.buftrail.profile.otlp.OtlpWriter;

/**
 * Sends profiles and waits until the receiver has them: in parts that are not too large, each sent
 * again while the receiver asks for that, until a time has passed. Belongs to one thread.
 */
public final class Delivery {
  /** The largest part, in bytes of protobuf; receivers take 64 MiB. */
  public static final long LARGEST_PART = 60L << 20;

  private final PushTarget target;
  private final Sender sender;
  private final Backoff backoff = new Backoff();
  private final OtlpWriter writer = new OtlpWriter();
  private final long largestPart;
  private final long patienceMillis;
  private int requests;
  private int retries;
  private long bytes;
  private String partial = "";

  /**
   * @param target where to
   * @param largestPart bytes of protobuf in one request, at most
   * @param patienceMillis how long one request is tried
   */
  public Delivery(PushTarget target, long largestPart, long patienceMillis) {
    this.target = target;
    this.sender = new Sender(target);
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
    List<byte[]> parts = new ArrayList<>();
    new OtlpSplitter(largestPart).split(profiles, part -> parts.add(writer.toByteArray(part)));
    for (byte[] part : parts) {
      send(part);
    }
  }

  /**
   * Sends a message as it is.
   *
   * @throws IOException if the receiver does not take it, or is not reached in time
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void send(byte[] message) throws IOException, InterruptedException {
    byte[] body = target.isGzip() ? pack(message) : message;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    backoff.reset();
    while (true) {
      Sender.Outcome outcome = sender.send(body);
      if (outcome.fate() == Sender.Fate.ACCEPTED) {
        requests++;
        bytes += body.length;
        partial = partial.isEmpty() ? outcome.reason() : partial;
        return;
      }
      long wait = outcome.fate() == Sender.Fate.LATER ? backoff.next(outcome) : Long.MAX_VALUE;
      if (wait > TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())) {
        throw new IOException(describe(outcome));
      }
      retries++;
      Thread.sleep(wait);
    }
  }

  private String describe(Sender.Outcome outcome) {
    switch (outcome.fate()) {
      case REFUSED:
        return "the receiver refuses it: " + outcome.reason();
      case UNCERTAIN:
        return "no answer, it may have arrived: " + outcome.reason();
      default:
        return "the receiver does not take it now: "
            + outcome.reason()
            + "; tried for "
            + TimeUnit.MILLISECONDS.toSeconds(patienceMillis)
            + " s";
    }
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
}
