package org.buftrail.flow.scope;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.flow.base.WeakIdentityMap;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.MisuseCounts;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.NodeHops;
import org.buftrail.model.Path;
import org.buftrail.model.ScopeUse;
import org.jspecify.annotations.Nullable;

/**
 * Counts exactly what is allocated and released in a scope, and what was live at its peak, by path.
 *
 * <p>Costs each buffer of the scope a lock and an entry of a map, so only scopes whose numbers are
 * asked for have one. Holds no buffer. Thread-safe; its lock is taken last.
 */
public final class Meter {
  private final long maxCount;
  private final long maxPeakBytes;

  /** The lives that are under way. */
  private final WeakIdentityMap<Life> lives = new WeakIdentityMap<>();

  private final Amount allocated = new Amount();
  private final Amount released = new Amount();
  private final Amount live = new Amount();
  private long peakCount;
  private long peakBytes;

  /** By the node where they ended. */
  private final Map<Node, Amount> ended = new HashMap<>();

  /** All that are live now. */
  private final Set<Life> now = new HashSet<>();

  /** Those that were live when most bytes were. */
  private final Set<Life> atPeak = new HashSet<>();

  /** Those that have begun since then, and are live. */
  private final Set<Life> begunSince = new HashSet<>();

  /** Those that have ended since then, and were live. */
  private final Set<Life> endedSince = new HashSet<>();

  private StackTraceElement[] pastCount = MisuseCounts.NO_STACK;
  private StackTraceElement[] pastPeak = MisuseCounts.NO_STACK;

  private static final class Amount {
    long count;
    long bytes;

    void add(long more, long moreBytes) {
      count += more;
      bytes += moreBytes;
    }

    Path.Flows flows() {
      return new Path.Flows(count, bytes);
    }
  }

  /** A buffer's life, for as long as its capacity is the same. */
  private static final class Life {
    final WeakReference<Object> buffer;
    final int bytes;

    /** The last node that is known. */
    Node at;

    boolean isOver;

    /** The same life with another capacity. */
    @Nullable Life next;

    Life(WeakReference<Object> buffer, Node at, int bytes) {
      this.buffer = buffer;
      this.at = at;
      this.bytes = bytes;
    }

    /** Where it is, or was last seen. */
    Node position() {
      Life last = this;
      while (last.next != null) {
        last = last.next;
      }
      TrackedBuffer alive = last.isOver ? null : (TrackedBuffer) last.buffer.get();
      Node node = alive == null ? null : Meter.position(alive);
      return node == null ? last.at : node;
    }
  }

  /** The amounts of one path. */
  private static final class Row {
    final Amount allocated = new Amount();
    final Amount released = new Amount();
    final Amount live = new Amount();
    final Amount peak = new Amount();
  }

  /**
   * @param maxCount of how many allocations the one after is to be remembered; {@link
   *     Long#MAX_VALUE} for none
   * @param maxPeakBytes of how many bytes at once the allocation past them is to be remembered;
   *     {@link Long#MAX_VALUE} for none
   */
  public Meter(long maxCount, long maxPeakBytes) {
    this.maxCount = maxCount;
    this.maxPeakBytes = maxPeakBytes;
  }

  /** Where a buffer is, or null when no life of it is under way. */
  static @Nullable Node position(TrackedBuffer buffer) {
    Object state = FlowState.stateOpaque(buffer);
    if (state instanceof TenuredFlow) {
      TenuredFlow tenured = (TenuredFlow) state;
      return tenured.isOver(buffer) ? null : tenured.node;
    }
    return state instanceof Node && !((Node) state).isEnd() ? (Node) state : null;
  }

  /** A life begins. */
  synchronized void begun(TrackedBuffer buffer, Node at, int bytes) {
    Life missed = lives.get(buffer);
    if (missed != null) {
      end(buffer, missed, missed.at);
    }
    allocated.add(1, bytes);
    begin(buffer, at, bytes);
    if (allocated.count > maxCount && pastCount == MisuseCounts.NO_STACK) {
      pastCount = new Throwable().getStackTrace();
    }
  }

  private Life begin(TrackedBuffer buffer, Node at, int bytes) {
    Life life = new Life(lives.key(buffer), at, bytes);
    lives.putIfAbsent(life.buffer, life);
    now.add(life);
    begunSince.add(life);
    live.add(1, bytes);
    peakCount = Math.max(peakCount, live.count);
    if (live.bytes > peakBytes) {
      peakBytes = live.bytes;
      atPeak.addAll(begunSince);
      begunSince.clear();
      for (Life each : endedSince) {
        atPeak.remove(each);
      }
      endedSince.clear();
      if (peakBytes > maxPeakBytes && pastPeak == MisuseCounts.NO_STACK) {
        pastPeak = new Throwable().getStackTrace();
      }
    }
    return life;
  }

  /** The capacity of a buffer was changed, perhaps. */
  synchronized void resized(TrackedBuffer buffer, Node at, int bytes) {
    Life life = lives.get(buffer);
    if (life != null && life.bytes != bytes) {
      allocated.add(0, (long) bytes - life.bytes);
      remove(buffer, life);
      life.next = begin(buffer, at, bytes);
    }
  }

  /** A life is over, if it began here. */
  synchronized void ended(TrackedBuffer buffer, Node at) {
    Life life = lives.get(buffer);
    if (life != null) {
      end(buffer, life, at);
    }
  }

  private void end(TrackedBuffer buffer, Life life, Node at) {
    remove(buffer, life);
    life.at = at;
    life.isOver = true;
    released.add(1, life.bytes);
    Amount here = ended.get(at);
    if (here == null) {
      here = new Amount();
      ended.put(at, here);
    }
    here.add(1, life.bytes);
  }

  private void remove(TrackedBuffer buffer, Life life) {
    lives.remove(buffer, life);
    now.remove(life);
    live.add(-1, -life.bytes);
    if (!begunSince.remove(life)) {
      endedSince.add(life);
    }
  }

  /** What was counted so far. */
  public synchronized ScopeUse use() {
    Map<Node, Row> rows = new HashMap<>();
    for (Map.Entry<Node, Amount> e : ended.entrySet()) {
      Row row = row(rows, e.getKey());
      row.released.add(e.getValue().count, e.getValue().bytes);
      row.allocated.add(e.getValue().count, e.getValue().bytes);
    }
    for (Life life : now) {
      Row row = row(rows, life.position());
      row.live.add(1, life.bytes);
      row.allocated.add(1, life.bytes);
    }
    for (Life life : atPeak) {
      row(rows, life.position()).peak.add(1, life.bytes);
    }
    List<ScopeUse.OnPath> paths = new ArrayList<>();
    for (Map.Entry<Node, Row> e : rows.entrySet()) {
      Row row = e.getValue();
      paths.add(
          new ScopeUse.OnPath(
              NodeHops.upTo(e.getKey()),
              e.getKey().isDirect(),
              row.allocated.flows(),
              row.released.flows(),
              row.live.flows(),
              row.peak.flows()));
    }
    return new ScopeUse(
        allocated.flows(),
        released.flows(),
        live.flows(),
        new Path.Flows(peakCount, peakBytes),
        paths,
        List.of(pastCount),
        List.of(pastPeak));
  }

  private static Row row(Map<Node, Row> rows, Node node) {
    Node path = node.counted();
    Row row = rows.get(path);
    if (row == null) {
      row = new Row();
      rows.put(path, row);
    }
    return row;
  }
}
