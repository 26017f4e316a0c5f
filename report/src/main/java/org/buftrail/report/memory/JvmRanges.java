package org.buftrail.report.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The addresses that a HotSpot JVM names, in {@code VM.info} and {@code VM.metaspace vslist}. */
final class JvmRanges {
  private static final String ADDRESS = "0x([0-9a-f]{8,16})";

  private static final Pattern HEAP =
      Pattern.compile("Heap address: " + ADDRESS + ", size: (\\d+) MB");

  /** The space of a collector: from its first address to the last that is reserved. */
  private static final Pattern SPACE =
      Pattern.compile(
          "^ ?\\S.*(?:total|Reserved).*\\["
              + ADDRESS
              + ", (?:"
              + ADDRESS
              + ", )?"
              + ADDRESS
              + "\\)");

  private static final Pattern ARCHIVE =
      Pattern.compile(
          "CDS archive\\(s\\) mapped at: \\[" + ADDRESS + "-(?:" + ADDRESS + "-)?" + ADDRESS);

  private static final Pattern CLASSES =
      Pattern.compile("Compressed class space mapped at: " + ADDRESS + "-" + ADDRESS);

  private static final Pattern CODE =
      Pattern.compile("^ bounds \\[" + ADDRESS + ", " + ADDRESS + ", " + ADDRESS + "\\]");

  private static final Pattern TABLES =
      Pattern.compile("(?:byte_map:|Bits:) *\\[" + ADDRESS + ", ?" + ADDRESS + "[\\])]");

  private static final Pattern NODE =
      Pattern.compile("node #\\d+: base " + ADDRESS + ": reserved=([0-9.]+) KB");

  /** How Java 11 names what a node has, and how much of it is used and committed. */
  private static final Pattern NODE_11 =
      Pattern.compile(
          "^ +\\[" + (ADDRESS + ", " + ADDRESS + ", ") + (ADDRESS + ", " + ADDRESS + "\\)"));

  private JvmRanges() {}

  /**
   * Those of a JVM. Where two overlap, the first counts.
   *
   * @param info the answer to {@code VM.info}
   * @param metaspace the answer to {@code VM.metaspace vslist}
   */
  static List<Range> parse(String info, String metaspace) {
    List<Range> ranges = new ArrayList<>();
    for (String line : info.split("\n", -1)) {
      add(ranges, Owner.ARCHIVE, ARCHIVE, line);
      add(ranges, Owner.METASPACE, CLASSES, line);
      add(ranges, Owner.CODE, CODE, line);
      add(ranges, Owner.COLLECTOR, TABLES, line);
      add(ranges, Owner.HEAP, SPACE, line);
      Matcher heap = HEAP.matcher(line);
      if (heap.find()) {
        long start = Long.parseUnsignedLong(heap.group(1), 16);
        add(ranges, new Range(Owner.HEAP, start, start + (Long.parseLong(heap.group(2)) << 20)));
      }
    }
    Matcher node = NODE.matcher(metaspace);
    while (node.find()) {
      long start = Long.parseUnsignedLong(node.group(1), 16);
      long bytes = (long) (Double.parseDouble(node.group(2)) * 1024);
      add(ranges, new Range(Owner.METASPACE, start, start + bytes));
    }
    for (String line : metaspace.split("\n", -1)) {
      add(ranges, Owner.METASPACE, NODE_11, line);
    }
    return ranges;
  }

  private static void add(List<Range> ranges, Owner owner, Pattern pattern, String line) {
    Matcher found = pattern.matcher(line);
    if (found.find()) {
      long start = Long.parseUnsignedLong(found.group(1), 16);
      long end = Long.parseUnsignedLong(found.group(found.groupCount()), 16);
      add(ranges, new Range(owner, start, end));
    }
  }

  /** Without what is in others already. */
  private static void add(List<Range> ranges, Range more) {
    long start = more.start;
    long end = more.end;
    for (Range known : ranges) {
      if (start >= known.start && start < known.end) {
        start = known.end;
      }
      if (end > known.start && end <= known.end) {
        end = known.start;
      }
    }
    if (start < end) {
      ranges.add(new Range(more.owner, start, end));
    }
  }
}
