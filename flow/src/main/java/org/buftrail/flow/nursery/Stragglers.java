package org.buftrail.flow.nursery;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
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

  /** Sweeper only. */
  private final List<Straggler> taken = new ArrayList<>();

  private static final class Straggler {
    private final @Nullable TrackedBuffer strong;
    private final @Nullable WeakReference<TrackedBuffer> weak;
    private final int stamp;
    private final boolean overwritten;
    final @Nullable Straggler next;

    Straggler(
        TrackedBuffer buffer,
        int stamp,
        boolean held,
        boolean overwritten,
        @Nullable Straggler next) {
      this.strong = held ? buffer : null;
      this.weak = held ? null : new WeakReference<>(buffer);
      this.stamp = stamp;
      this.overwritten = overwritten;
      this.next = next;
    }

    /** Whether the life is the same, and no tenured flow of it may have been overwritten. */
    boolean isAsItWas(TrackedBuffer buffer) {
      return !overwritten && Stamp.isSameLife(stamp, FlowState.stampOpaque(buffer));
    }

    /** Null when it was collected: then its tenured flow tells of that. */
    @Nullable TrackedBuffer buffer() {
      return weak == null ? strong : weak.get();
    }
  }

  /** Any thread. */
  public void add(TrackedBuffer buffer, int stamp) {
    add(buffer, stamp, true, false);
  }

  /** A buffer that may be large, and dropped before anybody looks. Any thread. */
  void addLive(TrackedBuffer buffer, int stamp) {
    add(buffer, stamp, ByteBudget.of(buffer) <= ByteBudget.SMALL, false);
  }

  private void add(TrackedBuffer buffer, int stamp, boolean held, boolean overwritten) {
    Straggler next;
    do {
      next = first.get();
    } while (!first.compareAndSet(next, new Straggler(buffer, stamp, held, overwritten, next)));
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
      addOverwritten(buffer);
    }
  }

  /**
   * A tenured flow in the table may have been overwritten, whatever the state is by now. Any
   * thread.
   */
  void addOverwritten(TrackedBuffer buffer) {
    add(buffer, 0, true, true);
  }

  /**
   * Takes what there is by now. To be called before the rings are asked for what they have handed
   * on, so that whatever has been overwritten by then is in the table, or was looked at, when
   * {@link #takeOverwritten} is called. Sweeper only.
   */
  public void collect() {
    for (Straggler s = first.getAndSet(null); s != null; s = s.next) {
      taken.add(s);
    }
  }

  /**
   * Of what was collected, those whose overwritten tenured flow must be looked for in the table; of
   * any other it is the state. Sweeper only.
   */
  public Set<TrackedBuffer> takeOverwritten() {
    Set<TrackedBuffer> late = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Straggler s : taken) {
      TrackedBuffer buffer = s.buffer();
      if (buffer != null
          && !(s.isAsItWas(buffer) && FlowState.stateOpaque(buffer) instanceof TenuredFlow)) {
        late.add(buffer);
      }
    }
    taken.clear();
    return late;
  }
}
