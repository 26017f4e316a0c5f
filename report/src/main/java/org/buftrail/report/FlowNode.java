package org.buftrail.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/** A place on merged paths: what ended or is there, and what passed through it. */
final class FlowNode {
  private final Path.Hop hop;
  private final Map<Key, FlowNode> children = new LinkedHashMap<>();
  private final Sum released = new Sum();
  private final Sum leaked = new Sum();
  private final Sum dropped = new Sum();
  private final Sum live = new Sum();
  private final Sum allLeaked = new Sum();
  private final Sum allDropped = new Sum();
  private final Sum allLive = new Sum();
  private long held;
  private long passed;
  private boolean directLeak;
  private @Nullable Rest rest;

  /** Flows and bytes that grow. */
  static final class Sum {
    private long count;
    private long bytes;

    void add(Path.Flows flows) {
      count += flows.count();
      bytes += flows.bytes();
    }

    void add(Sum other) {
      count += other.count;
      bytes += other.bytes;
    }

    long count() {
      return count;
    }

    long bytes() {
      return bytes;
    }

    Path.Flows flows() {
      return new Path.Flows(count, bytes);
    }
  }

  /** The flows that go on from a node to hidden places, all together. */
  static final class Rest {
    private final Set<Key> branches = new HashSet<>();
    private final Sum leaked = new Sum();
    private final Sum dropped = new Sum();
    private final Sum live = new Sum();
    private long passed;

    private void add(Path.Hop first, Path path) {
      branches.add(new Key(first));
      passed += path.flows();
      leaked.add(path.leaked());
      dropped.add(path.dropped());
      live.add(path.live());
    }

    /** To how many places. */
    int branches() {
      return branches.size();
    }

    long passed() {
      return passed;
    }

    Sum leaked() {
      return leaked;
    }

    Sum dropped() {
      return dropped;
    }

    Sum live() {
      return live;
    }
  }

  /** What makes two hops the same node under one parent. */
  static final class Key {
    private final Site site;
    private final String refs;
    private final boolean overflow;

    Key(Path.Hop hop) {
      site = hop.site();
      refs = hop.refs();
      overflow = hop.isOverflow();
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Key
          && site.equals(((Key) o).site)
          && refs.equals(((Key) o).refs)
          && overflow == ((Key) o).overflow;
    }

    @Override
    public int hashCode() {
      return Objects.hash(site, refs, overflow);
    }
  }

  FlowNode(Path.Hop hop) {
    this.hop = hop;
  }

  FlowNode child(Path.Hop next) {
    Key key = new Key(next);
    FlowNode known = children.get(key);
    if (known == null) {
      known = new FlowNode(next);
      children.put(key, known);
    }
    return known;
  }

  @Nullable FlowNode childIfKept(Path.Hop next) {
    return children.isEmpty() ? null : children.get(new Key(next));
  }

  /** Counts a path that goes on from here to a place that is not shown. */
  void cut(Path.Hop next, Path path) {
    Rest all = rest;
    if (all == null) {
      all = new Rest();
      rest = all;
    }
    all.add(next, path);
  }

  /** Counts a path that goes through here, or ends here. */
  void add(Path path, boolean endsHere) {
    passed += path.flows();
    allLeaked.add(path.leaked());
    allDropped.add(path.dropped());
    allLive.add(path.live());
    if (endsHere) {
      released.add(path.released());
      leaked.add(path.leaked());
      held += path.held();
      dropped.add(path.dropped());
      live.add(path.live());
      directLeak |= path.isDirect() && path.leaked().count() > 0;
    }
  }

  Path.Hop hop() {
    return hop;
  }

  /** Worst first. */
  List<FlowNode> children() {
    List<FlowNode> all = new ArrayList<>(children.values());
    // The JDK links the name of a method at its first use, and the JVM would wait for that at its
    // end.
    if (all.size() > 1) {
      all.sort(FlowNode::compareWorstFirst);
    }
    return all;
  }

  private static int compareWorstFirst(FlowNode a, FlowNode b) {
    int order = Long.compare(b.allLeaked.bytes, a.allLeaked.bytes);
    if (order == 0) {
      order = Long.compare(b.allLeaked.count, a.allLeaked.count);
    }
    if (order == 0) {
      order = Long.compare(b.allLive.bytes, a.allLive.bytes);
    }
    if (order == 0) {
      order = Long.compare(b.passed, a.passed);
    }
    if (order == 0) {
      order = PathOrder.compareSites(a.hop.site(), b.hop.site());
    }
    return order != 0 ? order : a.hop.refs().compareTo(b.hop.refs());
  }

  /** The flows that go on to hidden places; null if all are shown. */
  @Nullable Rest rest() {
    return rest;
  }

  /** Flows that came here, wherever they went afterwards. */
  long passed() {
    return passed;
  }

  Sum released() {
    return released;
  }

  Sum leaked() {
    return leaked;
  }

  /** Flows that the leaked ones held. */
  long held() {
    return held;
  }

  Sum dropped() {
    return dropped;
  }

  Sum live() {
    return live;
  }

  Sum allLeaked() {
    return allLeaked;
  }

  Sum allDropped() {
    return allDropped;
  }

  Sum allLive() {
    return allLive;
  }

  boolean isDirectLeak() {
    return directLeak;
  }
}
