package org.buftrail.agent.jmx;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.buftrail.model.Path;
import org.buftrail.model.ReleaseSamples;

/** Sizes and lifetimes of sampled releases on a path, as JMX carries them. Immutable. */
public final class ReleasedView {
  private final Path path;
  private final ReleaseSamples samples;

  ReleasedView(Path path, ReleaseSamples samples) {
    this.path = path;
    this.samples = samples;
  }

  /** {@code class.method:line} of each hop, the allocator first. */
  public List<String> getHops() {
    return PathView.hops(path.hops());
  }

  /** How many releases were sampled. */
  public long getSampleCount() {
    return samples.count();
  }

  /** Of these, by size: the number at index i had less than 2^i bytes, and not less than half. */
  public List<Long> getSizes() {
    return classes(ReleaseSamples.SIZES, samples::sizes);
  }

  /**
   * By lifetime: the number at index i lived less than 2^i microseconds, and not less than half.
   */
  public List<Long> getLifetimes() {
    return classes(ReleaseSamples.LIFETIMES, samples::lifetimes);
  }

  /** The longest life of any release in milliseconds, sampled or not. */
  public long getLongestMillis() {
    return samples.longestMillis();
  }

  private static List<Long> classes(int size, IntToLongFunction counts) {
    List<Long> classes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      classes.add(counts.applyAsLong(i));
    }
    return classes;
  }
}
