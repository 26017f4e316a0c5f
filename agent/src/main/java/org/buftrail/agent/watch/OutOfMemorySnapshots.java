package org.buftrail.agent.watch;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.buftrail.model.Snapshot;

/** Writes a snapshot when memory has run out or is about to, and not again for a minute. */
public final class OutOfMemorySnapshots implements Watcher {
  private static final long PAUSE_NANOS = 60_000_000_000L;

  private final IntSupplier errors;
  private final BooleanSupplier heapIsFull;
  private final LongSupplier nanos;
  private final SnapshotFiles files;
  private int seen;
  private boolean wasFull;
  private boolean written;
  private long writtenAt;
  private String reason = "";

  /**
   * @param errors how many errors there have been
   * @param seen how many of them are of no concern
   * @param heapIsFull whether the heap is as good as full
   * @param nanos a clock that never goes back
   * @param files where snapshots go
   */
  public OutOfMemorySnapshots(
      IntSupplier errors,
      int seen,
      BooleanSupplier heapIsFull,
      LongSupplier nanos,
      SnapshotFiles files) {
    this.errors = errors;
    this.heapIsFull = heapIsFull;
    this.nanos = nanos;
    this.files = files;
    this.seen = seen;
  }

  @Override
  public boolean isWanted() {
    int count = errors.getAsInt();
    boolean full = heapIsFull.getAsBoolean();
    reason = count != seen ? "oom" : full && !wasFull ? "heap-full" : "";
    wasFull = full;
    if (reason.isEmpty() || (written && nanos.getAsLong() - writtenAt < PAUSE_NANOS)) {
      seen = count;
      return false;
    }
    seen = count;
    return true;
  }

  @Override
  public void look(Snapshot now) {
    written = true;
    writtenAt = nanos.getAsLong();
    files.write(now, reason);
  }
}
