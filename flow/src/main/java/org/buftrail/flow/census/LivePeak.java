package org.buftrail.flow.census;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.NodeHops;
import org.buftrail.flow.tree.PathTree;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was live at the highest moment, by node. A look at all that is live is due every
 * {@value #PERIOD_MILLIS} ms, and rests {@value #COST_FACTOR} times as long as it took: so looks
 * take at most half a percent of a core, however much is live. Where nothing began in the last
 * {@value #IDLE_LOOKS} looks, the next is due after {@value #IDLE_MILLIS} ms. The look that finds
 * more than any before is kept. At most 1.5 MiB. Thread-safe.
 */
public final class LivePeak {
  private static final long PERIOD_MILLIS = 50;

  private static final int IDLE_LOOKS = 20;
  private static final long IDLE_MILLIS = 250;

  /** Share of a core that looks may take, as its inverse. */
  private static final long COST_FACTOR = 200;

  /**
   * The shortest of so many looks says what one takes: on a busy machine a look is interrupted, and
   * that costs no processor time.
   */
  private static final int RECENT = 4;

  /** Paths that are reported. */
  private static final int MAX_ROWS = 200;

  private final PathTree tree;
  private final long[] recentNanos = new long[RECENT];
  private int looks;
  private long due;

  /** Flows that had begun at the last look, and in how many looks in a row none had. */
  private long begun;

  private int idle;
  private LiveByNode now = new LiveByNode();
  private LiveByNode highest = new LiveByNode();
  private long highestMillis;
  private int sampling = 1;
  private @Nullable Peak told;

  /** Nothing was live yet. */
  public LivePeak(PathTree tree) {
    this.tree = tree;
  }

  /** How long it is to the next look, in nanoseconds; 0 or less if it is due. */
  public synchronized long nanosToNext(long nanos) {
    return looks == 0 ? 0 : due - nanos;
  }

  /**
   * Looks at what is live, whenever it is due.
   *
   * @param weight how many buffers each that is followed stands for
   */
  public void look(Nursery nursery, int weight) {
    synchronized (nursery) {
      look(nursery, weight, System.nanoTime());
    }
  }

  private synchronized void look(Nursery nursery, int weight, long began) {
    now.look(nursery);
    if (now.totalBytes() * weight > highest.totalBytes() * sampling) {
      LiveByNode former = highest;
      highest = now;
      now = former;
      highestMillis = System.currentTimeMillis();
      sampling = weight;
      told = null;
    }
    long ended = System.nanoTime();
    recentNanos[looks++ & RECENT - 1] = ended - began;
    looks = looks == Integer.MAX_VALUE ? RECENT : looks;
    noteBegun(nursery);
    due = ended + Math.max(periodMillis() * 1_000_000, COST_FACTOR * shortest());
  }

  long periodMillis() {
    return idle < IDLE_LOOKS ? PERIOD_MILLIS : IDLE_MILLIS;
  }

  private void noteBegun(Nursery nursery) {
    long all = 0;
    for (ThreadRing ring : nursery.rings.all()) {
      all += ring.allocated();
    }
    idle = all == begun ? Math.min(IDLE_LOOKS, idle + 1) : 0;
    begun = all;
  }

  private long shortest() {
    long shortest = recentNanos[0];
    for (int i = 1; i < Math.min(looks, RECENT); i++) {
      shortest = Math.min(shortest, recentNanos[i]);
    }
    return shortest;
  }

  /** The live flows of the highest moment so far; null if there were never any. */
  public synchronized @Nullable Peak peak() {
    if (highest.totalBytes() == 0) {
      return null;
    }
    Peak peak = told;
    if (peak == null) {
      peak = new Peak(highestMillis, flows(highest.totalCount(), highest.totalBytes()), rows());
      told = peak;
    }
    return peak;
  }

  private Path.Flows flows(long count, long bytes) {
    return new Path.Flows(count * sampling, bytes * sampling);
  }

  private List<Peak.Row> rows() {
    List<Integer> nodes = new ArrayList<>();
    for (int id = 0; id < highest.size(); id++) {
      if (highest.bytes(id) > 0) {
        nodes.add(id);
      }
    }
    nodes.sort(new MostBytesFirst());
    List<Peak.Row> rows = new ArrayList<>();
    for (int id : nodes.subList(0, Math.min(MAX_ROWS, nodes.size()))) {
      Node node = tree.byId(id);
      if (node != null) {
        Path.Flows flows = flows(highest.count(id), highest.bytes(id));
        rows.add(new Peak.Row(NodeHops.upTo(node), node.isDirect(), flows));
      }
    }
    return rows;
  }

  private final class MostBytesFirst implements Comparator<Integer> {
    @Override
    public int compare(Integer one, Integer other) {
      return Long.compare(highest.bytes(other), highest.bytes(one));
    }
  }
}
