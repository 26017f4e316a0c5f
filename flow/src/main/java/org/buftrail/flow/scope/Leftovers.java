package org.buftrail.flow.scope;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.NodeHops;
import org.buftrail.flow.tree.Sighting;
import org.buftrail.flow.tree.Sightings;
import org.buftrail.model.Leftover;
import org.buftrail.model.Path;

/** Flows that are left over in a scope, by node, while they are counted. Thread-safe. */
public final class Leftovers {
  private final Map<Node, Sum> sums = new HashMap<>();

  private static final class Sum {
    long count;
    long bytes;
    long collected;
    long parts;
    int oldest;
    int youngest = Integer.MAX_VALUE;
    boolean needsRelease;

    /** What the looks at the stack saw; filled when leftovers are listed. */
    final Sightings seen = new Sightings();

    void addAll(Sum other) {
      count += other.count;
      bytes += other.bytes;
      collected += other.collected;
      parts += other.parts;
      oldest = Math.max(oldest, other.oldest);
      youngest = Math.min(youngest, other.youngest);
      needsRelease |= other.needsRelease;
    }
  }

  /** A class with a name: the JDK would link a lambda at its first use. */
  private static final class MostBytes implements Comparator<Leftover> {
    @Override
    public int compare(Leftover a, Leftover b) {
      int byBytes = Long.compare(b.bytes(), a.bytes());
      return byBytes != 0 ? byBytes : Long.compare(b.count(), a.count());
    }
  }

  /**
   * @param bytes that it counts for
   * @param age in ticks
   * @param isPart whether it is a part of another one there
   */
  public synchronized void add(
      Node node, long bytes, int age, boolean needsRelease, boolean isPart) {
    Sum sum = of(node);
    sum.count++;
    sum.parts += isPart ? 1 : 0;
    sum.bytes += bytes;
    sum.oldest = Math.max(sum.oldest, age);
    sum.youngest = Math.min(sum.youngest, age);
    sum.needsRelease |= needsRelease;
  }

  public synchronized void addCollected(TenuredFlow tenured) {
    int age = Ticks.age(tenured.born, Ticks.now());
    boolean isPart = tenured.node.isComposite() && tenured.holderLostAt() != null;
    add(tenured.node, tenured.bytes, age, tenured.needsRelease, isPart);
    of(tenured.node).collected++;
  }

  private Sum of(Node node) {
    Sum sum = sums.get(node);
    if (sum == null) {
      sum = new Sum();
      sums.put(node, sum);
    }
    return sum;
  }

  /** Adds all of {@code other}; no two threads may do so with the same two the other way round. */
  public synchronized void addAll(Leftovers other) {
    synchronized (other) {
      for (Map.Entry<Node, Sum> e : other.sums.entrySet()) {
        of(e.getKey()).addAll(e.getValue());
      }
    }
  }

  /**
   * @param scopes who know the names
   */
  public synchronized List<Leftover> list(Scopes scopes) {
    List<Leftover> list = new ArrayList<>();
    for (Map.Entry<List<Object>, Sum> e : byPath(scopes).entrySet()) {
      Node node = (Node) e.getKey().get(1);
      Sum sum = e.getValue();
      list.add(
          new Leftover(
                  (String) e.getKey().get(0),
                  NodeHops.upTo(node),
                  memory(node),
                  sum.needsRelease,
                  new Path.Flows(sum.count, sum.bytes),
                  sum.collected,
                  Ticks.millis(sum.oldest),
                  Ticks.millis(sum.youngest))
              .with(sum.seen.evidence())
              .withParts(Math.min(sum.parts, sum.count - 1)));
    }
    list.sort(new MostBytes());
    return List.copyOf(list);
  }

  /**
   * By the name of the scope and the node of the path outside of scopes, which is one for twins.
   */
  private Map<List<Object>, Sum> byPath(Scopes scopes) {
    Map<List<Object>, Sum> byPath = new HashMap<>();
    for (Map.Entry<Node, Sum> e : sums.entrySet()) {
      List<Object> key = List.of(scopes.name(e.getKey()), e.getKey().counted());
      Sum sum = byPath.get(key);
      if (sum == null) {
        sum = new Sum();
        byPath.put(key, sum);
      }
      sum.addAll(e.getValue());
      Sighting sighting = e.getKey().sighting();
      if (sighting != null) {
        sum.seen.add(sighting, (int) e.getValue().count);
      }
    }
    return byPath;
  }

  private static Leftover.Memory memory(Node node) {
    return node.isResource()
        ? Leftover.Memory.RESOURCE
        : node.isDirect() ? Leftover.Memory.DIRECT : Leftover.Memory.HEAP;
  }
}
