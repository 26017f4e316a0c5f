package org.buftrail.report.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each page has one owner. */
final class MemoryBillTest {
  private static final long KIB = 1 << 10;
  private static final long STACK = 1024 * KIB;
  private static final PresentPages NOBODY_TELLS = (start, end) -> -1;

  private final List<Mapping> mappings = new ArrayList<>();
  private final List<Long> pointers = new ArrayList<>();

  private void map(long start, long size, String permissions, String name, long resident) {
    mappings.add(new Mapping(start, start + size, permissions, name, resident));
  }

  private MemoryBill bill(PresentPages pages, Range... ranges) {
    long[] sorted = pointers.stream().mapToLong(Long::longValue).sorted().toArray();
    MemoryBill bill = new MemoryBill(List.of(ranges), STACK, sorted, pages);
    bill.add(mappings);
    long sum = 0;
    for (Owner owner : Owner.values()) {
      sum += bill.resident(owner);
    }
    assertThat(sum).isEqualTo(bill.sum());
    return bill;
  }

  @Test
  void aMappingInsideARangeIsItsOwners() {
    map(0x1000, 64 * KIB, "rw-p", "", 40 * KIB);
    MemoryBill bill = bill(NOBODY_TELLS, new Range(Owner.HEAP, 0, 1 << 30));
    assertThat(bill.resident(Owner.HEAP)).isEqualTo(40 * KIB);
    assertThat(bill.sum()).isEqualTo(40 * KIB);
  }

  @Test
  void aMappingOfTwoOwnersIsDividedByItsPages() {
    map(0, 100 * KIB, "rw-p", "", 60 * KIB);
    Range[] ranges = {
      new Range(Owner.CODE, 20 * KIB, 50 * KIB), new Range(Owner.HEAP, 0, 20 * KIB)
    };
    MemoryBill bill = bill((start, end) -> (end - start) / 2, ranges);
    assertThat(bill.resident(Owner.CODE)).isEqualTo(15 * KIB);
    assertThat(bill.resident(Owner.HEAP)).isEqualTo(10 * KIB);
    assertThat(bill.resident(Owner.UNKNOWN)).isEqualTo(35 * KIB);
  }

  @Test
  void whereNobodyTellsPagesNoMoreIsCountedThanIsResident() {
    map(0, 100 * KIB, "rw-p", "", 30 * KIB);
    MemoryBill bill = bill(NOBODY_TELLS, new Range(Owner.CODE, 0, 50 * KIB));
    assertThat(bill.resident(Owner.CODE)).isEqualTo(30 * KIB);
    assertThat(bill.resident(Owner.UNKNOWN)).isZero();
  }

  @Test
  void aStackLiesAboveItsGuardAndIsNoLargerThanStacksAre() {
    map(0, 16 * KIB, "---p", "", 0);
    map(16 * KIB, 4096 * KIB, "rw-p", "", 2000 * KIB);
    MemoryBill bill = bill((start, end) -> end - start);
    assertThat(bill.stacks()).isEqualTo(1);
    assertThat(bill.resident(Owner.STACKS)).isEqualTo(STACK - 16 * KIB);
    assertThat(bill.resident(Owner.UNKNOWN)).isEqualTo(2000 * KIB - STACK + 16 * KIB);
  }

  @Test
  void whereAThreadHasItsStackThereIsOneOfAnySize() {
    map(0, 16 * KIB, "---p", "", 0);
    map(16 * KIB, 240 * KIB, "rw-p", "", 100 * KIB);
    map(512 * KIB, 16 * KIB, "---p", "", 0);
    map(528 * KIB, 4080 * KIB, "rw-p", "", 2000 * KIB);
    pointers.addAll(List.of(200 * KIB, 4500 * KIB, 600 * KIB));
    MemoryBill bill = bill((start, end) -> end - start);
    assertThat(bill.stacks()).isEqualTo(2);
    assertThat(bill.resident(Owner.STACKS)).isEqualTo(2100 * KIB);
    assertThat(bill.resident(Owner.UNKNOWN)).isZero();
  }

  @Test
  void anArenaOfMallocIsNoStack() {
    map(0, 65_000 * KIB, "---p", "", 0);
    map(65_000 * KIB, 1008 * KIB, "rw-p", "", 500 * KIB);
    map(90_000 * KIB, 16 * KIB, "---p", "", 0);
    map(90_016 * KIB, 132 * KIB, "rw-p", "", 100 * KIB);
    MemoryBill bill = bill(NOBODY_TELLS);
    assertThat(bill.stacks()).isZero();
    assertThat(bill.resident(Owner.UNKNOWN)).isEqualTo(600 * KIB);
  }

  @Test
  void filesAreLibrariesOrMapped() {
    map(0, 64 * KIB, "r-xp", "/usr/lib/libc.so.6", 10 * KIB);
    map(64 * KIB, 64 * KIB, "r--p", "/opt/java/lib/modules", 20 * KIB);
    map(128 * KIB, 64 * KIB, "rw-s", "/data/index.bin", 30 * KIB);
    map(192 * KIB, 64 * KIB, "rw-p", "/opt/java/lib/server/classes.jsa", 40 * KIB);
    map(256 * KIB, 64 * KIB, "rw-s", "/memfd:java_heap (deleted)", 50 * KIB);
    map(320 * KIB, 64 * KIB, "rw-p", "[heap]", 60 * KIB);
    MemoryBill bill = bill(NOBODY_TELLS);
    assertThat(bill.resident(Owner.LIBRARIES)).isEqualTo(30 * KIB);
    assertThat(bill.resident(Owner.MAPPED)).isEqualTo(30 * KIB);
    assertThat(bill.resident(Owner.ARCHIVE)).isEqualTo(40 * KIB);
    assertThat(bill.resident(Owner.HEAP)).isEqualTo(50 * KIB);
    assertThat(bill.resident(Owner.UNKNOWN)).isEqualTo(60 * KIB);
  }

  @Test
  void whatOthersCountIsTakenOffWhatIsNotKnown() {
    map(0, 100 * KIB, "rw-p", "", 50 * KIB);
    MemoryBill bill = bill(NOBODY_TELLS);
    bill.claim(Owner.NETTY, 30 * KIB);
    bill.claim(Owner.DIRECT, 60 * KIB);
    assertThat(bill.resident(Owner.NETTY)).isEqualTo(30 * KIB);
    assertThat(bill.resident(Owner.DIRECT)).isEqualTo(20 * KIB);
    assertThat(bill.beyond(Owner.DIRECT)).isEqualTo(40 * KIB);
    assertThat(bill.resident(Owner.UNKNOWN)).isZero();
  }

  @Test
  void smapsAreRead() {
    List<Mapping> read =
        Mapping.parse(
            List.of(
                "687400000-69ec00000 rw-p 00000000 00:00 0 ",
                "Size:             385024 kB",
                "Rss:                6780 kB",
                "Pss:                6780 kB",
                "7f5f0c000000-7f5f0c021000 r--s 00000000 08:01 42                 /a b/c (deleted)",
                "Rss:                   4 kB"));
    assertThat(read)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new Mapping(0x687400000L, 0x69ec00000L, "rw-p", "", 6780 * KIB),
            new Mapping(0x7f5f0c000000L, 0x7f5f0c021000L, "r--s", "/a b/c (deleted)", 4 * KIB));
  }
}
