package org.buftrail.model;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Paths as a tracker counted them at one moment: a row of numbers for each.
 *
 * <p>A {@link Path} is made when it is asked for, and its hops when they are. So a snapshot is a
 * few large arrays, and leaves a collector nothing to copy but these. Immutable, thread-safe.
 */
public abstract class CountedPaths extends AbstractList<Path> implements RandomAccess {
  /** The first of two columns: how many flows ended with a count of 0, and their bytes. */
  protected static final int RELEASED = 0;

  /** Those that leaked, and their bytes. */
  protected static final int LEAKED = 2;

  /** Those that are here now, and their bytes. */
  protected static final int LIVE = 4;

  /** Milliseconds, or {@link Path#NO_AGE}. */
  protected static final int OLDEST = 6;

  /** Milliseconds, or {@link Path#NO_AGE}. */
  protected static final int MEDIAN = 7;

  /** Milliseconds since the epoch, or {@link Path#NEVER}. */
  protected static final int FIRST_SEEN = 8;

  /** Milliseconds since the epoch, or {@link Path#NEVER}. */
  protected static final int LAST_SEEN = 9;

  /** Those that were collected with nothing lost, and their bytes. */
  protected static final int DROPPED = 10;

  /** Those that the leaked ones held. */
  protected static final int HELD = 12;

  /** How many columns a row has. */
  protected static final int COLUMNS = 13;

  /** The rows, one after the other. Filled by the constructor, then left alone. */
  protected final long[] values;

  /**
   * @param rows how many paths there are
   */
  protected CountedPaths(int rows) {
    values = new long[rows * COLUMNS];
  }

  @Override
  public final int size() {
    return values.length / COLUMNS;
  }

  @Override
  public final Path get(int index) {
    int row = index * COLUMNS;
    return new Path(
        this,
        index,
        null,
        isDirect(index),
        flows(row + RELEASED),
        flows(row + LEAKED),
        flows(row + LIVE),
        values[row + OLDEST],
        values[row + MEDIAN],
        values[row + FIRST_SEEN],
        values[row + LAST_SEEN],
        flows(row + DROPPED),
        values[row + HELD],
        null,
        null,
        0,
        null);
  }

  private Path.Flows flows(int column) {
    long count = values[column];
    return count == 0 ? Path.Flows.NONE : new Path.Flows(count, values[column + 1]);
  }

  /** The hops of a path, root first, as they were then. */
  protected abstract List<Path.Hop> hops(int index);

  /** The sampled releases, or null. */
  protected @Nullable ReleaseSamples samples(int index) {
    return null;
  }

  /** What looks at the stack saw of the leaked flows, or null. */
  protected @Nullable Evidence evidence(int index) {
    return null;
  }

  /** The messages that looks saw to have live flows, or null. */
  protected @Nullable Evidence liveEvidence(int index) {
    return null;
  }

  /** The parts of composites among the live flows. */
  protected long liveParts(int index) {
    return 0;
  }

  /** How much of what is live on a path began in which minute, or null. */
  protected @Nullable Births births(int index) {
    return null;
  }

  /** What {@link Path#number} says. */
  protected int identity(int index) {
    return Path.NO_NUMBER;
  }

  /** Whether the memory of a path is outside the heap. */
  protected abstract boolean isDirect(int index);

  /** Whether a path is a resource's. Known without its hops. */
  protected abstract boolean isOfResource(int index);

  /** How many hops a path has. */
  protected abstract int depth(int index);

  /** Writes the number of each hop's site, root first. */
  protected abstract void fill(int index, int[] into);

  /** The number of a site, the same for equal ones. */
  protected abstract int number(Site site);

  protected abstract Site site(int number);
}
