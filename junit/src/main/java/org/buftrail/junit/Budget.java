package org.buftrail.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.buftrail.model.Path.Flows;
import org.buftrail.model.ScopeUse;

/** How much a test may use, as {@code @BufferBudget} says. Immutable. */
final class Budget {
  /** In place of a number: as much as the test likes. */
  static final long UNLIMITED = Long.MAX_VALUE;

  /** Nothing is limited; what is used is counted. */
  static final Budget NONE = new Budget(UNLIMITED, UNLIMITED, UNLIMITED);

  private static final Pattern SIZE = Pattern.compile("(\\d{1,18}) ?(|b|kib|mib|gib)");
  private static final String UNITS = "bkmg";
  private static final int MAX_PATHS = 3;

  /** Open at once. */
  final long peakBytes;

  /** Buffers. */
  final long allocated;

  /** Buffers that are open at the end. */
  final long live;

  Budget(long peakBytes, long allocated, long live) {
    this.peakBytes = peakBytes;
    this.allocated = allocated;
    this.live = live;
  }

  /**
   * That of an annotation with these members.
   *
   * @throws IllegalArgumentException with one line, if it says nothing or something wrong
   */
  static Budget of(String peak, int allocated, int live) {
    if (peak.isEmpty() && allocated == -1 && live == -1) {
      throw new IllegalArgumentException(
          "@BufferBudget limits nothing: give it peak, allocated or live, such as peak = \"1MiB\"");
    }
    return new Budget(
        peak.isEmpty() ? UNLIMITED : size(peak),
        count("allocated", allocated),
        count("live", live));
  }

  private static long count(String member, int count) {
    if (count < -1) {
      throw new IllegalArgumentException(
          "@BufferBudget(" + member + " = " + count + "): it is a number of buffers, 0 or more");
    }
    return count < 0 ? UNLIMITED : count;
  }

  /** Bytes, as people write them. */
  static long size(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      String unit = matcher.group(2);
      int shift = unit.isEmpty() ? 0 : 10 * UNITS.indexOf(unit.charAt(0));
      long number = Long.parseLong(matcher.group(1));
      if (number <= (UNLIMITED - 1) >> shift) {
        return number << shift;
      }
    }
    throw new IllegalArgumentException(
        "@BufferBudget(peak = \""
            + text
            + "\"): it is a number of B, KiB, MiB or GiB, such as 1MiB");
  }

  /** How many may be left open and are no leak. */
  long allowedLive() {
    return live == UNLIMITED ? 0 : live;
  }

  /**
   * What of it was not kept.
   *
   * @param left how many buffers that need a release are open
   */
  List<Overrun> overruns(ScopeUse use, long left) {
    List<Overrun> overruns = new ArrayList<>();
    if (use.allocated().count() > allocated) {
      overruns.add(
          new Overrun(
              "allocated " + buffers(use.allocated().count()) + "; its budget is " + allocated,
              use.pastCount(),
              most(use, ScopeUse.OnPath::allocated, Flows::count)));
    }
    if (use.peak().bytes() > peakBytes) {
      overruns.add(
          new Overrun(
              "had " + use.peak().bytes() + " B open at once; its budget is " + peakBytes + " B",
              use.pastPeak(),
              most(use, ScopeUse.OnPath::peak, Flows::bytes)));
    }
    if (left > live) {
      // The leaks have the paths.
      overruns.add(
          new Overrun(
              "left " + buffers(left) + " open; its budget is " + live, List.of(), List.of()));
    }
    return overruns;
  }

  private static String buffers(long count) {
    return count + (count == 1 ? " buffer" : " buffers");
  }

  /** The paths with most of a figure, each with its way as lines of a stack trace. */
  private static List<String> most(
      ScopeUse use, Function<ScopeUse.OnPath, Flows> part, ToLongFunction<Flows> figure) {
    List<ScopeUse.OnPath> paths =
        use.paths().stream()
            .filter(path -> part.apply(path).count() > 0)
            .sorted(
                (a, b) ->
                    Long.compare(
                        figure.applyAsLong(part.apply(b)), figure.applyAsLong(part.apply(a))))
            .collect(Collectors.toList());
    List<String> lines = new ArrayList<>();
    for (ScopeUse.OnPath path : paths.subList(0, Math.min(MAX_PATHS, paths.size()))) {
      Flows flows = part.apply(path);
      lines.add(
          "  "
              + buffers(flows.count())
              + ", "
              + flows.bytes()
              + " B, "
              + (path.isDirect() ? "direct" : "heap")
              + "; last seen");
      for (StackTraceElement frame : Leak.trace(path.hops())) {
        lines.add("    at " + frame);
      }
    }
    if (paths.size() > MAX_PATHS) {
      lines.add("  and " + (paths.size() - MAX_PATHS) + " more paths");
    }
    return lines;
  }
}
