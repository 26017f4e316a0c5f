package org.buftrail.flow.census;

import java.util.HashMap;
import java.util.Map;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * What counts stand for: of how many buffers one is followed now, and what to add at each node for
 * what was counted when it was another number.
 *
 * <p>Flows that are under way when the number changes are forgotten before, so that none is
 * multiplied by another number than it was chosen by. Immutable.
 */
public final class Scale {
  /** Every buffer is followed, and always was. */
  public static final Scale ALL = new Scale(1, Map.of(), 0);

  /** One buffer in so many is followed. */
  public final int sampling;

  /** By id of a node, as the columns of {@link TreePaths}. */
  private final Map<Integer, long[]> earlier;

  private final long earlierAllocated;

  private Scale(int sampling, Map<Integer, long[]> earlier, long earlierAllocated) {
    this.sampling = sampling;
    this.earlier = earlier;
    this.earlierAllocated = earlierAllocated;
  }

  /**
   * Returns a scale in which counts from now on stand for {@code next}; earlier counts keep theirs.
   */
  public Scale changed(int next, Nursery nursery) {
    if (sampling == next) {
      return this;
    }
    Census census = Census.takeWithoutBuffers(nursery);
    Map<Integer, long[]> rows = new HashMap<>();
    for (Node node : nursery.tree.all()) {
      if (!node.isResource()) {
        long[] row = row(node, census, next);
        if (row != null) {
          rows.put(node.id, row);
        }
      }
    }
    long plain = new Scale(next, Map.of(), 0).allocated(census);
    return new Scale(next, rows, allocated(census) - plain);
  }

  /** The amounts to add for a node once {@code next} is the number; null if there are none. */
  private long @Nullable [] row(Node node, Census census, int next) {
    long[] counts = TreePaths.counts(node, census);
    boolean empty = true;
    for (int column = 0; column < counts.length; column++) {
      counts[column] = counts[column] * (sampling - next) + earlier(node, column);
      empty &= counts[column] == 0;
    }
    return empty ? null : counts;
  }

  /** Flows begun, those of resources each as one. */
  public long allocated(Census census) {
    long resources = census.resources().opened();
    return (census.allocated - resources) * sampling
        + earlierAllocated
        + resources
        - census.resources().forgotten();
  }

  /** What stands for {@code counted} at a node. */
  long of(Node node, int column, long counted) {
    return node.isResource() ? counted : counted * sampling + earlier(node, column);
  }

  private long earlier(Node node, int column) {
    long[] row = earlier.isEmpty() ? null : earlier.get(node.id);
    return row == null ? 0 : row[column];
  }
}
