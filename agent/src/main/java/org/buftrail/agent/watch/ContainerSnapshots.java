package org.buftrail.agent.watch;

import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.buftrail.model.Snapshot;

/**
 * Has a snapshot written when nine tenths of a container's memory are used, and again when a
 * hundredth more is, so that a process that the kernel kills leaves one. At most one a minute. Used
 * by one thread.
 */
public final class ContainerSnapshots implements Watcher {
  private static final long PAUSE_NANOS = 60_000_000_000L;

  private final IntSupplier percent;
  private final LongSupplier nanos;
  private final Consumer<Snapshot> writer;
  private boolean hasWritten;

  /** How much was used at the last one, or since, if less. */
  private int written;

  private long writtenAt;

  /**
   * @param percent how much is used
   * @param nanos a clock that never goes back
   * @param writer writes a snapshot
   */
  public ContainerSnapshots(IntSupplier percent, LongSupplier nanos, Consumer<Snapshot> writer) {
    this.percent = percent;
    this.nanos = nanos;
    this.writer = writer;
  }

  @Override
  public boolean isWanted() {
    int now = percent.getAsInt();
    if (now < ContainerMemory.HIGH_PERCENT) {
      // The next rise writes one again.
      written = Math.min(written, now);
      return false;
    }
    return now > written && (!hasWritten || nanos.getAsLong() - writtenAt >= PAUSE_NANOS);
  }

  @Override
  public void look(Snapshot now) {
    hasWritten = true;
    written = percent.getAsInt();
    writtenAt = nanos.getAsLong();
    writer.accept(now);
  }
}
