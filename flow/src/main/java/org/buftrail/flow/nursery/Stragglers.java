package org.buftrail.flow.nursery;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Buffers whose state was stored over a tenured flow, held until the sweeper has put them right.
 */
public final class Stragglers {
  private final AtomicReference<@Nullable Straggler> first = new AtomicReference<>();

  private static final class Straggler {
    private final @Nullable TrackedBuffer strong;
    private final @Nullable WeakReference<TrackedBuffer> weak;
    final int stamp;
    final @Nullable Straggler next;

    Straggler(TrackedBuffer buffer, int stamp, boolean held, @Nullable Straggler next) {
      this.strong = held ? buffer : null;
      this.weak = held ? null : new WeakReference<>(buffer);
      this.stamp = stamp;
      this.next = next;
    }

    /** Null when it was collected: then its tenured flow tells of that. */
    @Nullable TrackedBuffer buffer() {
      return weak == null ? strong : weak.get();
    }
  }

  /** Any thread. */
  public void add(TrackedBuffer buffer, int stamp) {
    add(buffer, stamp, true);
  }

  /** A buffer that may be large, and dropped before anybody looks. Any thread. */
  void addLive(TrackedBuffer buffer, int stamp) {
    add(buffer, stamp, ByteBudget.of(buffer) <= ByteBudget.SMALL);
  }

  private void add(TrackedBuffer buffer, int stamp, boolean held) {
    Straggler next;
    do {
      next = first.get();
    } while (!first.compareAndSet(next, new Straggler(buffer, stamp, held, next)));
  }

  /**
   * A tenured flow has been made outside a sweep, perhaps in place of one that a late hop has
   * overwritten: the straggler that tells of that would find the new one, and be content. Any
   * thread.
   *
   * @param before the stamp of before
   */
  void addReplaced(TrackedBuffer buffer, int before) {
    if (Stamp.isTenured(before)) {
      addOverwritten(buffer, before);
    }
  }

  /**
   * A tenured flow in the table may have been overwritten, whatever the state is by now. Any
   * thread.
   */
  void addOverwritten(TrackedBuffer buffer, int stamp) {
    // Of no life that the buffer has.
    add(buffer, ~stamp);
  }

  /**
   * Takes all, and returns those whose overwritten tenured flow must be looked for in the table.
   * The tenured flow of any other is current, or among {@code pending}, which is gone through
   * anyway.
   */
  public Set<TrackedBuffer> take(List<TenuredFlow> pending) {
    Straggler s = first.getAndSet(null);
    if (s == null) {
      return Set.of();
    }
    Set<TrackedBuffer> checked = Collections.newSetFromMap(new IdentityHashMap<>());
    for (TenuredFlow tenured : pending) {
      checked.add(tenured.strong);
    }
    Set<TrackedBuffer> late = Collections.newSetFromMap(new IdentityHashMap<>());
    for (; s != null; s = s.next) {
      TrackedBuffer buffer = s.buffer();
      if (buffer != null) {
        boolean sameLife = Stamp.isSameLife(s.stamp, FlowState.stampOpaque(buffer));
        if (!sameLife
            || !(FlowState.stateOpaque(buffer) instanceof TenuredFlow
                || checked.contains(buffer))) {
          late.add(buffer);
        }
      }
    }
    return late;
  }
}
