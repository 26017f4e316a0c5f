package org.buftrail.flow;

import java.util.AbstractList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The paths of the trie on which a flow ended or is now, as counted at one moment.
 *
 * <p>A row of numbers and a node for each, 108 bytes; a {@link Path} is made when it is asked for,
 * and its hops when they are. So a snapshot takes time and memory in proportion to nodes, whatever
 * their depth, and leaves a collector nothing to copy but arrays. Immutable, thread-safe.
 */
final class TriePaths extends AbstractList<Path> implements RandomAccess, Snapshot.Settled {
  static final String[] REFS = {"0", "1-2", "3-5", "6+"};

  private static final int RELEASED = 0;
  private static final int LEAKED = 2;
  private static final int LIVE = 4;
  private static final int OLDEST = 6;
  private static final int MEDIAN = 7;
  private static final int FIRST_SEEN = 8;
  private static final int LAST_SEEN = 9;
  private static final int DROPPED = 10;
  private static final int HELD = 12;
  static final int COLUMNS = 13;

  /** Those that are counted, and so have to be scaled. */
  private static final int[] COUNTED = {
    RELEASED, RELEASED + 1, LEAKED, LEAKED + 1, DROPPED, DROPPED + 1, HELD
  };

  private final Node[] nodes;
  private final long[] values;
  private final long overflowed;

  /** By node: whether flows had come back to it by then. */
  private final BitSet looped = new BitSet();

  private final Map<Long, Path.Hop> hops = new ConcurrentHashMap<>();

  /**
   * @param trie all its nodes
   * @param scale what counts of buffers stand for
   */
  TriePaths(Node[] trie, Census census, Scale scale) {
    int size = 0;
    for (Node node : trie) {
      if (node.isLooped()) {
        looped.set(node.id);
      }
      size += flows(node, census) == 0 ? 0 : 1;
    }
    nodes = new Node[size];
    values = new long[size * COLUMNS];
    long past = 0;
    int row = 0;
    for (Node node : trie) {
      long flows = flows(node, census);
      if (flows != 0) {
        fill(row * COLUMNS, node, census, scale);
        past += overflows(node) ? flowsIn(row * COLUMNS) : 0;
        nodes[row++] = node;
      }
    }
    overflowed = past;
  }

  /** How many ended at {@code node} or are there, before sampling is made up for. */
  private static long flows(Node node, Census census) {
    return census.released.count(node.endId)
        + census.leaks.counters.count(node.id)
        + census.held.count(node.id)
        + census.dropped.count(node.id)
        + census.live.count(node.id);
  }

  private long flowsIn(int row) {
    return values[row + RELEASED]
        + values[row + LEAKED]
        + values[row + HELD]
        + values[row + DROPPED]
        + values[row + LIVE];
  }

  /** What was counted at a node, before sampling is made up for. */
  static void count(Node node, Census census, long[] values, int row) {
    int id = node.id;
    values[row + RELEASED] = census.released.count(node.endId);
    values[row + RELEASED + 1] = census.released.bytes(node.endId);
    values[row + LEAKED] = census.leaks.counters.count(id);
    values[row + LEAKED + 1] = census.leaks.counters.bytes(id);
    values[row + DROPPED] = census.dropped.count(id);
    values[row + DROPPED + 1] = census.dropped.bytes(id);
    values[row + HELD] = census.held.count(id);
  }

  private void fill(int row, Node node, Census census, Scale scale) {
    count(node, census, values, row);
    for (int column : COUNTED) {
      values[row + column] = scale.of(node, column, values[row + column]);
    }
    int id = node.id;
    LiveAges live = census.live;
    long weight = node.isResource() ? 1 : scale.sampling;
    values[row + LIVE] = live.count(id) * weight;
    values[row + LIVE + 1] = live.bytes(id) * weight;
    boolean lives = live.count(id) > 0;
    values[row + OLDEST] = lives ? Ticks.millis(live.oldest(id)) : Path.NO_AGE;
    values[row + MEDIAN] = lives ? Ticks.millis(live.median(id)) : Path.NO_AGE;
    values[row + FIRST_SEEN] = census.leaks.firstSeenMillis(node);
    values[row + LAST_SEEN] = census.leaks.lastSeenMillis(node);
  }

  private static boolean overflows(Node node) {
    return node.isOverflow() || (node.isEnd() && node.parent != null && node.parent.isOverflow());
  }

  /** Flows that ended or are past a bound. */
  long overflowed() {
    return overflowed;
  }

  @Override
  public int size() {
    return nodes.length;
  }

  /** Where a path ends. */
  Node node(int index) {
    return nodes[index];
  }

  @Override
  public Path get(int index) {
    Node node = nodes[index];
    int row = index * COLUMNS;
    return new Path(
        new StationsTo(this, node),
        null,
        node.isDirect(),
        flows(row + RELEASED),
        flows(row + LEAKED),
        flows(row + LIVE),
        values[row + OLDEST],
        values[row + MEDIAN],
        values[row + FIRST_SEEN],
        values[row + LAST_SEEN],
        flows(row + DROPPED),
        values[row + HELD]);
  }

  private Path.Flows flows(int column) {
    long count = values[column];
    return count == 0 ? Path.Flows.NONE : new Path.Flows(count, values[column + 1]);
  }

  /** The stations from the root to {@code node}, as they are now. */
  static List<Path.Hop> upTo(Node node) {
    Path.Hop[] stations = new Path.Hop[node.depth];
    int i = stations.length;
    for (Node n = node; n != null && !n.isTop(); n = n.parent) {
      String refs = REFS[n.bucket()];
      stations[--i] = new Path.Hop(Sites.get(n.site()), refs, n.isLooped(), n.isOverflow());
    }
    return List.of(stations);
  }

  private static final class StationsTo implements Path.Stations {
    private final TriePaths paths;
    private final Node node;

    StationsTo(TriePaths paths, Node node) {
      this.paths = paths;
      this.node = node;
    }

    @Override
    public List<Path.Hop> hops() {
      return paths.hops(node);
    }

    @Override
    public boolean isOfResource() {
      return node.isResource();
    }
  }

  /** The stations from the root to {@code node}, as they were then. */
  List<Path.Hop> hops(Node node) {
    Path.Hop[] stations = new Path.Hop[node.depth];
    int i = stations.length;
    for (Node n = node; n != null; n = n.parent) {
      stations[--i] = hop(n);
    }
    return List.of(stations);
  }

  private Path.Hop hop(Node node) {
    boolean loop = looped.get(node.id);
    long identity = (long) node.key << 2 | (loop ? 2 : 0) | (node.isOverflow() ? 1 : 0);
    Path.Hop known = hops.get(identity);
    if (known != null) {
      return known;
    }
    Path.Hop made =
        new Path.Hop(Sites.get(node.site()), REFS[node.bucket()], loop, node.isOverflow());
    Path.Hop other = hops.putIfAbsent(identity, made);
    return other == null ? made : other;
  }
}
