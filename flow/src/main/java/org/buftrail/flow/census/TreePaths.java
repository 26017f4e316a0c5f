package org.buftrail.flow.census;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.NodeHops;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Births;
import org.buftrail.model.CountedPaths;
import org.buftrail.model.Evidence;
import org.buftrail.model.Path;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/**
 * The paths of the path tree on which a flow ended or is now, as counted at one moment.
 *
 * <p>A row of numbers and a node for each, 108 bytes, and 32 more where something is live. So a
 * snapshot takes time and memory in proportion to nodes, whatever their depth. Immutable,
 * thread-safe.
 */
public final class TreePaths extends CountedPaths {
  /** The columns that are counted, and so have to be scaled. */
  private static final int[] COUNTED = {
    RELEASED, RELEASED + 1, LEAKED, LEAKED + 1, DROPPED, DROPPED + 1, HELD
  };

  private final Node[] nodes;
  private final long overflowed;

  /** By node: whether flows had come back to it by then. */
  private final BitSet looped;

  /** By row; null where nothing was sampled. */
  private final @Nullable ReleaseSamples[] samples;

  /** By row, where there is any. */
  private final Map<Integer, Evidence> evidence = new HashMap<>();

  /** What had a message seen by looks among what is live, by row. */
  private final Map<Integer, Evidence> liveEvidence = new HashMap<>();

  /** The parts of composites among what is live, by row, where there are any. */
  private final Map<Integer, Long> liveParts = new HashMap<>();

  /** By row, where something is live. */
  private final BirthRows births = new BirthRows();

  private final Map<Long, Path.Hop> hops = new ConcurrentHashMap<>();

  /**
   * @param tree all its nodes
   * @param scale what counts of buffers stand for
   * @param nowMillis when the census was taken, in milliseconds since the epoch
   */
  public static TreePaths of(Node[] tree, Census census, Scale scale, long nowMillis) {
    BitSet looped = new BitSet();
    int size = 0;
    for (Node node : tree) {
      if (node.isLooped()) {
        looped.set(node.id);
      }
      size += flows(node, census) == 0 ? 0 : 1;
    }
    Node[] nodes = new Node[size];
    int row = 0;
    for (Node node : tree) {
      if (flows(node, census) != 0) {
        nodes[row++] = node;
      }
    }
    return new TreePaths(nodes, looped, census, scale, nowMillis);
  }

  private TreePaths(Node[] nodes, BitSet looped, Census census, Scale scale, long nowMillis) {
    super(nodes.length);
    this.nodes = nodes;
    this.looped = looped;
    this.samples = new ReleaseSamples[nodes.length];
    long past = 0;
    for (int i = 0; i < nodes.length; i++) {
      fill(i * COLUMNS, nodes[i], census, scale);
      samples[i] = census.samples(nodes[i]);
      if (census.live.count(nodes[i].id) > 0) {
        births.begin(i);
        long weight = nodes[i].isResource() ? 1 : scale.sampling;
        census.live.addBirths(nodes[i].id, nowMillis, weight, births);
        noteLive(i, census, weight);
      }
      Evidence seen = census.leaks.evidence(nodes[i]);
      if (seen != null) {
        evidence.put(i, seen);
      }
      past += overflows(nodes[i]) ? flowsIn(i * COLUMNS) : 0;
    }
    overflowed = past;
  }

  private void noteLive(int row, Census census, long weight) {
    long parts = census.liveParts.count(nodes[row].id);
    if (parts > 0) {
      liveParts.put(row, parts * weight);
    }
    Evidence seen = census.liveSeen.messages(nodes[row]);
    if (seen != null) {
      liveEvidence.put(row, seen);
    }
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

  /** The counts of a node by column, before they are scaled up for sampling. */
  static long[] counts(Node node, Census census) {
    long[] row = new long[COLUMNS];
    count(node, census, row, 0);
    return row;
  }

  private static void count(Node node, Census census, long[] values, int row) {
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
    Node parent = node.isEnd() ? node.parent() : null;
    return node.isOverflow() || (parent != null && parent.isOverflow());
  }

  /** Flows that ended or are past a bound. */
  public long overflowed() {
    return overflowed;
  }

  @Override
  protected @Nullable ReleaseSamples samples(int index) {
    return samples[index];
  }

  @Override
  protected @Nullable Births births(int index) {
    return births.of(index);
  }

  @Override
  protected int identity(int index) {
    Node parent = nodes[index].isEnd() ? nodes[index].parent() : null;
    return parent == null ? nodes[index].id : parent.id;
  }

  @Override
  protected @Nullable Evidence evidence(int index) {
    return evidence.get(index);
  }

  @Override
  protected @Nullable Evidence liveEvidence(int index) {
    return liveEvidence.get(index);
  }

  @Override
  protected long liveParts(int index) {
    return liveParts.getOrDefault(index, 0L);
  }

  @Override
  protected boolean isDirect(int index) {
    return nodes[index].isDirect();
  }

  @Override
  protected boolean isOfResource(int index) {
    return nodes[index].isResource();
  }

  @Override
  protected int depth(int index) {
    return nodes[index].depth;
  }

  @Override
  protected void fill(int index, int[] into) {
    int i = depth(index);
    for (Node node = nodes[index]; node != null; node = node.parent()) {
      into[--i] = node.site();
    }
  }

  @Override
  protected int number(Site site) {
    return Sites.intern(site);
  }

  @Override
  protected Site site(int number) {
    return Sites.get(number);
  }

  @Override
  protected List<Path.Hop> hops(int index) {
    Path.Hop[] hops = new Path.Hop[depth(index)];
    int i = hops.length;
    for (Node node = nodes[index]; node != null; node = node.parent()) {
      hops[--i] = hop(node);
    }
    return List.of(hops);
  }

  private Path.Hop hop(Node node) {
    boolean loop = looped.get(node.id);
    long identity = (long) node.key << 2 | (loop ? 2 : 0) | (node.isOverflow() ? 1 : 0);
    Path.Hop known = hops.get(identity);
    if (known != null) {
      return known;
    }
    Path.Hop made = NodeHops.of(node, loop);
    Path.Hop other = hops.putIfAbsent(identity, made);
    return other == null ? made : other;
  }
}
