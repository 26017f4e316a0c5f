package org.buftrail.flow.nursery;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.buftrail.flow.state.TrackedBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Buffers whose state was stored over a tenured flow, perhaps, held until the sweeper has put them
 * right.
 */
public final class Stragglers {
  private final AtomicReference<@Nullable Straggler> first = new AtomicReference<>();

  /** Guarded by the nursery's monitor, as the next is. */
  private final List<Straggler> collected = new ArrayList<>();

  private boolean postponed;

  static final class Straggler {
    private final @Nullable TrackedBuffer strong;
    private final @Nullable WeakReference<TrackedBuffer> weak;
    private @Nullable Straggler next;

    Straggler(TrackedBuffer buffer, boolean held) {
      this.strong = held ? buffer : null;
      this.weak = held ? null : new WeakReference<>(buffer);
    }

    /** Null when it was collected: then its tenured flow reports that. */
    @Nullable TrackedBuffer buffer() {
      return weak == null ? strong : weak.get();
    }
  }

  /** Any thread. */
  public void add(TrackedBuffer buffer) {
    add(new Straggler(buffer, true));
  }

  /** A buffer that may be large, and dropped before anybody looks. Any thread. */
  void addLive(TrackedBuffer buffer) {
    add(new Straggler(buffer, ByteBudget.of(buffer) <= ByteBudget.SMALL));
  }

  /** Allocates nothing. Each is added once. Any thread. */
  void add(Straggler straggler) {
    Straggler next;
    do {
      next = first.get();
      straggler.next = next;
    } while (!first.compareAndSet(next, straggler));
  }

  /**
   * Collects what there is by now. To be called before the rings are asked for what they have
   * handed on, so that whatever was overwritten by then is in the table or among the pending ones,
   * or was looked at, when {@link #buffers} is called.
   */
  public void collect() {
    for (Straggler s = first.getAndSet(null); s != null; s = s.next) {
      collected.add(s);
    }
  }

  /** A ring has not given all that it had handed on: what was collected has to wait. */
  void postpone() {
    postponed = true;
  }

  /** The collected buffers whose counts can be corrected by now. */
  public Set<TrackedBuffer> buffers() {
    Set<TrackedBuffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
    if (!postponed) {
      for (Straggler s : collected) {
        TrackedBuffer buffer = s.buffer();
        if (buffer != null) {
          buffers.add(buffer);
        }
      }
    }
    return buffers;
  }

  /** Called when all were put right, or have to wait. */
  public void done() {
    if (!postponed) {
      collected.clear();
    }
    postponed = false;
  }
}
