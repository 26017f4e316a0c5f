package org.buftrail.junit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.buftrail.model.Path;
import org.buftrail.model.Path.Flows;
import org.buftrail.model.ScopeUse;

/**
 * What a piece of work did with buffers, or the part of it that went one way: see {@link #paths()}.
 * Exact; in buffers, and in bytes of their capacity. Composites and retained slices are buffers of
 * 0 bytes. Immutable.
 */
public final class BufferUse {
  private final Flows allocated;
  private final Flows released;
  private final Flows live;
  private final Flows peak;
  private final List<StackTraceElement> trace;
  private final List<BufferUse> paths;

  private BufferUse(
      Flows allocated,
      Flows released,
      Flows live,
      Flows peak,
      List<StackTraceElement> trace,
      List<BufferUse> paths) {
    this.allocated = allocated;
    this.released = released;
    this.live = live;
    this.peak = peak;
    this.trace = List.copyOf(trace);
    this.paths = List.copyOf(paths);
  }

  static BufferUse of(ScopeUse use) {
    List<BufferUse> paths = new ArrayList<>();
    for (ScopeUse.OnPath path : use.paths()) {
      paths.add(
          new BufferUse(
              path.allocated(),
              path.released(),
              path.live(),
              path.peak(),
              List.of(Leak.trace(path.hops())),
              List.of()));
    }
    paths.sort(
        Comparator.comparingLong(BufferUse::allocatedBytes)
            .thenComparingLong(BufferUse::allocated)
            .reversed());
    return new BufferUse(use.allocated(), use.released(), use.live(), use.peak(), List.of(), paths);
  }

  /** How many buffers were allocated. */
  public long allocated() {
    return allocated.count();
  }

  /** Their bytes, with those by which they grew. */
  public long allocatedBytes() {
    return allocated.bytes();
  }

  /** How many of them were released. */
  public long released() {
    return released.count();
  }

  /** Their bytes. */
  public long releasedBytes() {
    return released.bytes();
  }

  /** How many of them were not released. */
  public long live() {
    return live.count();
  }

  /** Their bytes. */
  public long liveBytes() {
    return live.bytes();
  }

  /** The most that were open at once; of one path, its share when most bytes were open. */
  public long peak() {
    return peak.count();
  }

  /** The most bytes that were open at once; of one path, its share of these. */
  public long peakBytes() {
    return peak.bytes();
  }

  /**
   * The same by path, most bytes first. What went on from a place counts where it was last. Empty
   * for the part that went one way.
   */
  public List<BufferUse> paths() {
    return paths;
  }

  /** The way as a stack trace, the last line that had the buffers first; empty for all. */
  public List<StackTraceElement> trace() {
    return trace;
  }

  /**
   * The part whose ways led through a method.
   *
   * @param place the end of a class's name and a method, such as {@code OrderDecoder.decode}
   */
  public BufferUse through(String place) {
    List<BufferUse> some = new ArrayList<>();
    for (BufferUse path : paths) {
      if (path.trace.stream().anyMatch(frame -> isAt(frame, place))) {
        some.add(path);
      }
    }
    return new BufferUse(
        sum(some, path -> path.allocated),
        sum(some, path -> path.released),
        sum(some, path -> path.live),
        sum(some, path -> path.peak),
        List.of(),
        some);
  }

  private static boolean isAt(StackTraceElement frame, String place) {
    String name = "." + frame.getClassName() + "." + frame.getMethodName();
    return name.endsWith("." + place) || name.endsWith("$" + place);
  }

  private static Flows sum(List<BufferUse> paths, Function<BufferUse, Path.Flows> part) {
    long count = 0;
    long bytes = 0;
    for (BufferUse path : paths) {
      count += part.apply(path).count();
      bytes += part.apply(path).bytes();
    }
    return new Flows(count, bytes);
  }

  /** The numbers, and those of each path with its way. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(numbers());
    for (BufferUse path : paths) {
      text.append("\n  ").append(path.numbers());
      path.trace.forEach(frame -> text.append("\n    at ").append(frame));
    }
    return text.toString();
  }

  /** In one line. */
  String numbers() {
    return "allocated "
        + text(allocated)
        + ", released "
        + text(released)
        + ", live "
        + text(live)
        + ", peak "
        + text(peak);
  }

  private static String text(Flows flows) {
    return flows.count() + " of " + flows.bytes() + " B";
  }
}
