package org.buftrail.report.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A mapping of a process, as Linux lists it in {@code smaps}. Immutable. */
final class Mapping {
  private static final Pattern HEAD =
      Pattern.compile("([0-9a-f]+)-([0-9a-f]+) (\\S{4}) \\S+ \\S+ \\S+ *(.*)");

  private static final String RESIDENT = "Rss:";

  /** The first address. */
  final long start;

  /** The address after the last. */
  final long end;

  /** {@code rw-p}. */
  final String permissions;

  /** A file, {@code [heap]}, or empty. */
  final String name;

  /** Bytes in RAM. */
  final long resident;

  Mapping(long start, long end, String permissions, String name, long resident) {
    this.start = start;
    this.end = end;
    this.permissions = permissions;
    this.name = name;
    this.resident = resident;
  }

  /** Memory that belongs to no file. */
  boolean isAnonymous() {
    return name.isEmpty() || name.startsWith("[");
  }

  long size() {
    return end - start;
  }

  /** All of them, by address. */
  static List<Mapping> parse(List<String> smaps) {
    List<Mapping> mappings = new ArrayList<>();
    Matcher head = HEAD.matcher("");
    for (String line : smaps) {
      if (line.startsWith(RESIDENT) && !mappings.isEmpty()) {
        Mapping last = mappings.remove(mappings.size() - 1);
        long bytes = Long.parseLong(line.replaceAll("\\D", "")) << 10;
        mappings.add(new Mapping(last.start, last.end, last.permissions, last.name, bytes));
      } else if (head.reset(line).matches()) {
        long start = Long.parseUnsignedLong(head.group(1), 16);
        long end = Long.parseUnsignedLong(head.group(2), 16);
        mappings.add(new Mapping(start, end, head.group(3), head.group(4), 0));
      }
    }
    return mappings;
  }

  @Override
  public String toString() {
    return Long.toHexString(start)
        + '-'
        + Long.toHexString(end)
        + ' '
        + permissions
        + ' '
        + name
        + ' '
        + resident;
  }
}
