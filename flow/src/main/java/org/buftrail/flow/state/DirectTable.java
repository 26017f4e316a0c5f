package org.buftrail.flow.state;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.buftrail.flow.base.TrackerLog;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Path;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's direct buffers that the application allocated, by call. A buffer is live until it, and
 * all that were cut from it, are collected: then the JVM gives its memory back.
 *
 * <p>Keeps none alive. Some 150 bytes a buffer; beyond {@value #MAX} live ones, further buffers are
 * not followed, which is logged once. Thread-safe; threads of the application wait for nobody here.
 */
public final class DirectTable {
  static final int MAX = 1 << 20;

  /** Calls that are told, those with most live bytes. */
  private static final int MAX_SITES = 200;

  private final Map<Reference<?>, Count> live = new ConcurrentHashMap<>();
  private final Map<Integer, Count> bySite = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** At least as many as {@link #live} has. */
  private final AtomicInteger held = new AtomicInteger();

  private volatile boolean on;
  private boolean fullSaid;

  /** What came from one call. */
  private static final class Count {
    final int site;
    final AtomicLong live = new AtomicLong();
    final AtomicLong liveBytes = new AtomicLong();
    final AtomicLong allocated = new AtomicLong();
    final AtomicLong allocatedBytes = new AtomicLong();

    Count(int site) {
      this.site = site;
    }

    void begin(long bytes) {
      allocated.incrementAndGet();
      allocatedBytes.addAndGet(bytes);
      live.incrementAndGet();
      liveBytes.addAndGet(bytes);
    }

    void end(long bytes) {
      live.decrementAndGet();
      liveBytes.addAndGet(-bytes);
    }

    DirectMemory.CallSite told() {
      return new DirectMemory.CallSite(
          Sites.get(site),
          new Path.Flows(Math.max(0, live.get()), Math.max(0, liveBytes.get())),
          new Path.Flows(allocated.get(), allocatedBytes.get()));
    }
  }

  private static final class Entry extends PhantomReference<Object> {
    final int bytes;

    Entry(Object buffer, ReferenceQueue<Object> collected, int bytes) {
      super(buffer, collected);
      this.bytes = bytes;
    }
  }

  private static final class MostLiveBytes implements Comparator<DirectMemory.CallSite> {
    @Override
    public int compare(DirectMemory.CallSite a, DirectMemory.CallSite b) {
      int byLive = Long.compare(b.live().bytes(), a.live().bytes());
      return byLive != 0 ? byLive : Long.compare(b.allocated().bytes(), a.allocated().bytes());
    }
  }

  /** Whether calls are woven, so that {@link #sites} knows something. */
  public void setOn(boolean woven) {
    on = woven;
  }

  /**
   * A call has returned a new buffer.
   *
   * @param site the call's number
   */
  public void add(Buffer buffer, int site) {
    if (held.get() >= MAX) {
      sayFull();
      return;
    }
    Count count = bySite.get(site);
    if (count == null) {
      Count made = new Count(site);
      Count other = bySite.putIfAbsent(site, made);
      count = other == null ? made : other;
    }
    int bytes = buffer.capacity();
    held.incrementAndGet();
    try {
      live.put(new Entry(buffer, collected, bytes), count);
      count.begin(bytes);
    } finally {
      // By then the map has what was collected.
      Reference.reachabilityFence(buffer);
    }
  }

  private void sayFull() {
    if (!fullSaid) {
      fullSaid = true;
      TrackerLog.add("more than 1048576 direct buffers at once: some are not followed");
    }
  }

  /** Counts what was collected. For threads of the tracker alone: they may wait for the queue. */
  public void expunge() {
    for (Reference<?> r = collected.poll(); r != null; r = collected.poll()) {
      Count count = live.remove(r);
      if (count != null) {
        held.decrementAndGet();
        count.end(((Entry) r).bytes);
      }
    }
  }

  /** Forgets all buffers and calls. */
  public void clear() {
    on = false;
    for (Reference<?> entry : new ArrayList<>(live.keySet())) {
      if (live.remove(entry) != null) {
        held.decrementAndGet();
      }
    }
    bySite.clear();
  }

  /** Calls that allocated, the one with most live bytes first; null where none is woven. */
  public @Nullable List<DirectMemory.CallSite> sites() {
    if (!on) {
      return null;
    }
    expunge();
    List<DirectMemory.CallSite> sites = new ArrayList<>();
    for (Count count : bySite.values()) {
      sites.add(count.told());
    }
    sites.sort(new MostLiveBytes());
    return sites.size() > MAX_SITES ? new ArrayList<>(sites.subList(0, MAX_SITES)) : sites;
  }
}
