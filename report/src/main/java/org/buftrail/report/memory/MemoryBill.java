package org.buftrail.report.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Divides the resident set of a process among its owners. Each mapping is counted once, so the sum
 * is the resident set. Mappings at addresses that the JVM names belong to the owner it names. Other
 * memory without a file comes from {@code malloc}, which does not record its callers: the amounts
 * that others count there are subtracted, and the remainder is not known.
 */
final class MemoryBill {
  /** A JVM's thread has fewer pages than this below its stack that may not be touched. */
  private static final long MAX_GUARD = 64 << 10;

  private final Map<Owner, Long> resident = new EnumMap<>(Owner.class);
  private final Map<Owner, Long> beyond = new EnumMap<>(Owner.class);
  private final List<Range> ranges;
  private final long stackBytes;
  private final long[] pointers;
  private final PresentPages pages;
  private long sum;
  private long stacks;

  /**
   * @param ranges what the JVM names
   * @param stackBytes the usual size of a thread's stack
   * @param pointers addresses in the stacks of threads, as far as they are known, in ascending
   *     order
   * @param pages of the process
   */
  MemoryBill(List<Range> ranges, long stackBytes, long[] pointers, PresentPages pages) {
    this.ranges = ranges;
    this.stackBytes = stackBytes;
    this.pointers = pointers;
    this.pages = pages;
  }

  /** Divides mappings, which are in the order of their addresses. */
  void add(List<Mapping> mappings) {
    @Nullable Mapping before = null;
    for (Mapping mapping : mappings) {
      add(mapping, known(before, mapping));
      before = mapping;
    }
  }

  /**
   * The owner of a mapping, including stacks that lie above guard pages. A mapping that is smaller
   * than usual is one if a thread has its stack there; and what lies above may belong to others,
   * unless a thread has its stack even there.
   */
  private List<Range> known(@Nullable Mapping before, Mapping mapping) {
    if (before == null || !isGuard(before, mapping)) {
      return ranges;
    }
    long pointer = pointer(mapping);
    if (pointer == 0 && mapping.size() + MAX_GUARD < stackBytes) {
      return ranges;
    }
    stacks++;
    long usual = before.start + stackBytes;
    long end = pointer >= usual ? mapping.end : Math.min(mapping.end, usual);
    List<Range> more = new ArrayList<>(ranges);
    more.add(new Range(Owner.STACKS, mapping.start, end));
    return more;
  }

  /** The highest address of a thread's stack in a mapping; 0 where there is none. */
  private long pointer(Mapping mapping) {
    int found = Arrays.binarySearch(pointers, mapping.end);
    int last = (found < 0 ? -found - 1 : found) - 1;
    return last >= 0 && pointers[last] >= mapping.start ? pointers[last] : 0;
  }

  private static boolean isGuard(Mapping before, Mapping mapping) {
    return before.end == mapping.start
        && before.permissions.startsWith("---")
        && before.size() <= MAX_GUARD
        && mapping.name.isEmpty()
        && mapping.permissions.startsWith("rw-p");
  }

  private void add(Mapping mapping, List<Range> known) {
    sum += mapping.resident;
    long left = mapping.resident;
    long from = mapping.start;
    for (Range range : known) {
      long start = Math.max(from, range.start);
      long end = Math.min(mapping.end, range.end);
      if (start >= end || left == 0) {
        continue;
      }
      boolean isWhole = start == mapping.start && end == mapping.end;
      long present = isWhole ? left : pages.between(start, end);
      long counted = Math.min(left, present < 0 ? end - start : present);
      put(range.owner, counted);
      left -= counted;
      if (isWhole) {
        return;
      }
      if (start == from) {
        from = end;
      }
    }
    put(ofName(mapping), left);
  }

  private static Owner ofName(Mapping mapping) {
    String name = mapping.name;
    if (name.startsWith("/memfd:java_heap")) {
      return Owner.HEAP;
    }
    if (name.equals("[stack]")) {
      return Owner.STACKS;
    }
    if (mapping.isAnonymous()) {
      return Owner.UNKNOWN;
    }
    if (name.contains(".jsa")) {
      return Owner.ARCHIVE;
    }
    boolean isLibrary =
        name.matches(".*(\\.so(\\.[0-9.]+)?|/bin/[^/]+|/lib/modules)( \\(deleted\\))?")
            || name.contains("/hsperfdata_")
            || mapping.permissions.contains("x");
    return isLibrary ? Owner.LIBRARIES : Owner.MAPPED;
  }

  /**
   * Takes what an owner counts off what is not known.
   *
   * @param bytes that the owner has, 0 or more, perhaps not all in RAM
   */
  void claim(Owner owner, long bytes) {
    long given = Math.min(bytes, resident(Owner.UNKNOWN));
    put(owner, given);
    put(Owner.UNKNOWN, -given);
    beyond.merge(owner, bytes - given, Long::sum);
  }

  private void put(Owner owner, long bytes) {
    resident.merge(owner, bytes, Long::sum);
  }

  /** Bytes of an owner in RAM. */
  long resident(Owner owner) {
    return resident.getOrDefault(owner, 0L);
  }

  /** Bytes that an owner counts and that are not in RAM. */
  long beyond(Owner owner) {
    return beyond.getOrDefault(owner, 0L);
  }

  /** Stacks that were found. */
  long stacks() {
    return stacks;
  }

  /** Bytes of the process in RAM. */
  long sum() {
    return sum;
  }
}
