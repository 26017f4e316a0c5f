package org.buftrail.model;

import java.util.List;

/**
 * What was allocated and released in a {@code LeakScope} that counts exactly, in buffers and in
 * bytes of their capacity. Composites and retained slices are buffers of 0 bytes. Immutable.
 */
public final class ScopeUse {
  private final Path.Flows allocated;
  private final Path.Flows released;
  private final Path.Flows live;
  private final Path.Flows peak;
  private final List<OnPath> paths;
  private final List<StackTraceElement> pastCount;
  private final List<StackTraceElement> pastPeak;

  /** The part of the buffers that went one way. Immutable. */
  public static final class OnPath {
    private final List<Path.Hop> hops;
    private final boolean direct;
    private final Path.Flows allocated;
    private final Path.Flows released;
    private final Path.Flows live;
    private final Path.Flows peak;

    /**
     * @param hops root first, never empty, without the release
     * @param direct whether the memory is outside the heap
     * @param allocated those that are, or ended, at the last hop
     * @param released those of them that were released
     * @param live those of them that were not
     * @param peak those of them that were live when most bytes were
     */
    public OnPath(
        List<Path.Hop> hops,
        boolean direct,
        Path.Flows allocated,
        Path.Flows released,
        Path.Flows live,
        Path.Flows peak) {
      this.hops = List.copyOf(hops);
      this.direct = direct;
      this.allocated = allocated;
      this.released = released;
      this.live = live;
      this.peak = peak;
    }

    /** The way, root first. */
    public List<Path.Hop> hops() {
      return hops;
    }

    /** Whether the memory is outside the heap. */
    public boolean isDirect() {
      return direct;
    }

    /** Those that are, or ended, at the last hop. */
    public Path.Flows allocated() {
      return allocated;
    }

    /** Those that were released. */
    public Path.Flows released() {
      return released;
    }

    /** Those that were not released. */
    public Path.Flows live() {
      return live;
    }

    /** Those that were live when most bytes of the scope were. */
    public Path.Flows peak() {
      return peak;
    }
  }

  /**
   * @param peak the most buffers and the most bytes that were live at once, each for itself
   * @param paths in no order
   * @param pastCount see {@link #pastCount()}
   * @param pastPeak see {@link #pastPeak()}
   */
  public ScopeUse(
      Path.Flows allocated,
      Path.Flows released,
      Path.Flows live,
      Path.Flows peak,
      List<OnPath> paths,
      List<StackTraceElement> pastCount,
      List<StackTraceElement> pastPeak) {
    this.allocated = allocated;
    this.released = released;
    this.live = live;
    this.peak = peak;
    this.paths = List.copyOf(paths);
    this.pastCount = List.copyOf(pastCount);
    this.pastPeak = List.copyOf(pastPeak);
  }

  /** What was allocated; bytes include those by which buffers grew. */
  public Path.Flows allocated() {
    return allocated;
  }

  /** What was released of it. */
  public Path.Flows released() {
    return released;
  }

  /** What was not released. */
  public Path.Flows live() {
    return live;
  }

  /** The most buffers and the most bytes that were live at once, each for itself. */
  public Path.Flows peak() {
    return peak;
  }

  /** The same by path, in no order. */
  public List<OnPath> paths() {
    return paths;
  }

  /** The stack of the first allocation past the count that was set; empty if there was none. */
  public List<StackTraceElement> pastCount() {
    return pastCount;
  }

  /** The stack of the first that took the live bytes past what was set; empty if none did. */
  public List<StackTraceElement> pastPeak() {
    return pastPeak;
  }
}
