package org.buftrail.agent.push;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.buftrail.agent.source.Since;
import org.buftrail.agent.watch.Watcher;
import org.buftrail.flow.base.ServiceThread;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.write.OtlpSplitter;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.buftrail.profile.push.Backoff;
import org.buftrail.profile.push.Delivery;
import org.buftrail.profile.push.PushTarget;
import org.buftrail.profile.push.Sender;
import org.buftrail.report.FlowProfiles;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is live now, and what ended or leaked since it last sent that, to a receiver.
 *
 * <p>One snapshot is under way at a time. While the receiver is down, slow or full, no other is
 * encoded: what happens meanwhile is in the next one, so nothing is lost, and memory holds one
 * snapshot at most. A request that a receiver refuses, or may have got, is not sent again; both are
 * counted. Where there is no secure connection nothing is tried until the next push is due, which
 * then holds all that happened meanwhile. The first failure is logged, then the recovery with the
 * count; the health of the thread shows each.
 */
public final class Pusher implements Watcher {
  private static final long AFTER_ERROR_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PushTarget target;
  private final Sender sender;
  private final Consumer<String> log;
  private final long largestPart;
  private final Deque<byte[]> parts = new ArrayDeque<>();
  private final Backoff backoff = new Backoff();

  private volatile @Nullable ServiceThread thread;

  /** When the next attempt may be made; an interrupt does not bring it forward. */
  private long notBefore = System.nanoTime();

  private Since base;
  private long baseMillis;

  /** The base of the snapshot under way, for as long as no part of it was taken. */
  private @Nullable Since baseBefore;

  private long baseMillisBefore;
  private boolean warned;
  private long failures;
  private long refused;
  private long uncertain;
  private long accepted;

  /**
   * @param target where to
   * @param base what is not sent: everything before it
   * @param log takes the first failure and the recovery
   */
  public Pusher(PushTarget target, Snapshot base, Consumer<String> log) {
    this(target, base, log, Delivery.LARGEST_PART);
  }

  /**
   * @param largestPart bytes of a message, before it is packed
   */
  Pusher(PushTarget target, Snapshot base, Consumer<String> log, long largestPart) {
    this.largestPart = largestPart;
    this.target = target;
    this.sender = new Sender(target);
    this.log = log;
    this.base = new Since(base);
    this.baseMillis = base.takenAtMillis();
  }

  /** Sends for as long as the JVM runs, on a thread of its own. */
  public void start() {
    thread = ServiceThread.start("buftrail-push", this::round);
  }

  @Override
  public synchronized boolean isWanted() {
    return parts.isEmpty();
  }

  @Override
  public void look(Snapshot now) throws IOException {
    List<byte[]> encoded = new ArrayList<>();
    new OtlpSplitter(largestPart).split(profiles(now), part -> encoded.add(encode(part)));
    synchronized (this) {
      baseBefore = base;
      baseMillisBefore = baseMillis;
      base = new Since(now, base);
      baseMillis = now.takenAtMillis();
      parts.addAll(encoded);
      notifyAll();
    }
  }

  /** Live flows at the moment, leaked and ended flows over the time since the base. */
  private Profiles profiles(Snapshot now) {
    Profiles all = FlowProfiles.deltas(now, base.of(now), baseMillis);
    Profiles chosen = all.withoutResource();
    chosen.resource().put("service.name", "unknown_service:java");
    target.resource().forEach(chosen.resource()::put);
    chosen.resource().put("process.pid", ProcessHandle.current().pid());
    for (Profile profile : all.profiles()) {
      if (profile.sampleType().type().startsWith("live_")) {
        long at = TimeUnit.MILLISECONDS.toNanos(now.takenAtMillis());
        profile.range(at, TimeUnit.MILLISECONDS.toNanos(1));
      }
      chosen.add(profile);
    }
    return chosen;
  }

  private byte[] encode(Profiles part) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = target.isGzip() ? new GZIPOutputStream(bytes) : bytes) {
      new OtlpWriter().write(part, out);
    }
    return bytes.toByteArray();
  }

  private ServiceThread.Outcome round() throws InterruptedException {
    byte[] part = awaitPart();
    long wait = notBefore - System.nanoTime();
    if (wait > 0) {
      TimeUnit.NANOSECONDS.sleep(wait);
    }
    notBefore = System.nanoTime() + AFTER_ERROR_NANOS;
    Sender.Outcome outcome = sendNext(part);
    if (outcome.fate() == Sender.Fate.LATER) {
      notBefore = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(backoff.next(outcome));
      return ServiceThread.Outcome.NOTHING;
    }
    notBefore = System.nanoTime();
    backoff.reset();
    return ServiceThread.Outcome.DONE;
  }

  /** The part to send next, as soon as there is one. */
  synchronized byte[] awaitPart() throws InterruptedException {
    while (parts.isEmpty()) {
      wait();
    }
    return parts.getFirst();
  }

  /** Sends a part, which stays the next until it is known what became of it. */
  Sender.Outcome sendNext(byte[] part) {
    Sender.Outcome outcome = sender.send(part);
    became(outcome);
    return outcome;
  }

  /** Goes on with what became of the next part. */
  synchronized void became(Sender.Outcome outcome) {
    switch (outcome.fate()) {
      case ACCEPTED:
        removeNext();
        accept(outcome);
        break;
      case REFUSED:
        removeNext();
        refused++;
        fail(outcome.reason() + "; it is not sent again");
        break;
      case UNCERTAIN:
        removeNext();
        uncertain++;
        fail(outcome.reason() + "; it may have arrived and is not sent again");
        break;
      case INSECURE:
        giveBack();
        fail(outcome.reason() + "; not tried again before the next push");
        break;
      default:
        fail(outcome.reason() + "; trying again");
    }
  }

  /** The receiver may have it, or will not have it: from now on the next push must not hold it. */
  private void removeNext() {
    parts.removeFirst();
    baseBefore = null;
  }

  /** Leaves what was not sent to the next push. */
  private void giveBack() {
    Since before = baseBefore;
    if (before == null) {
      refused += parts.size();
    } else {
      base = before;
      baseMillis = baseMillisBefore;
    }
    parts.clear();
  }

  private void accept(Sender.Outcome outcome) {
    accepted++;
    if (failures > 0) {
      log.accept(
          "push to "
              + target
              + " works again after "
              + failures
              + " failures; given up so far: "
              + refused
              + " refused, "
              + uncertain
              + " without an answer");
      failures = 0;
    }
    if (!outcome.reason().isEmpty() && refused++ == 0) {
      log.accept("push to " + target + ": " + outcome.reason());
    }
    if (!outcome.warning().isEmpty() && !warned) {
      warned = true;
      log.accept("push to " + target + ": " + outcome.warning());
    }
  }

  private void fail(String reason) {
    if (failures++ == 0) {
      log.accept("push to " + target + " failed: " + reason);
    }
    ServiceThread running = thread;
    if (running != null) {
      running.failed(new IOException(reason));
    }
  }

  /** Where the time begins that the next push covers, in milliseconds since the epoch. */
  synchronized long sinceMillis() {
    return baseMillis;
  }

  /** Requests that the receiver took. */
  synchronized long accepted() {
    return accepted;
  }

  /** Requests that it refused, in whole or in part. */
  synchronized long refused() {
    return refused;
  }

  /** Requests of which nobody knows whether it took them. */
  synchronized long uncertain() {
    return uncertain;
  }
}
