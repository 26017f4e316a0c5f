package org.buftrail.report.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

/** What HotSpot names, in its words. */
final class JvmRangesTest {
  private static final String OF_17 =
      "Heap address: 0x0000000687400000, size: 6028 MB, Compressed Oops mode: Zero based\n"
          + "CDS archive(s) mapped at: [0x00007f797b000000-0x00007f797bbc7000-0x00007f797bbc7000),"
          + " size 12349440\n"
          + "Compressed class space mapped at: 0x00007f797c000000-0x00007f79bc000000, reserved\n"
          + " garbage-first heap   total 397312K, used 4675K [0x0000000687400000,"
          + " 0x0000000800000000)\n"
          + "Card table byte_map: [0x00007f79e483a000,0x00007f79e5400000] _byte_map_base: 0x0\n"
          + " Prev Bits: [0x00007f79dde44000, 0x00007f79e3c74000)\n"
          + " bounds [0x00007f79ecec7000, 0x00007f79ed137000, 0x00007f79f4400000]\n";

  private static final String LISTS =
      """
      - node #0: base 0x00007f5f04000000: reserved=65536.00 KB, committed=192.00 KB
       0:0x00007f5f04000000: CMmlkjihgfedb
      - node #0: base 0x00007f797b000000: reserved=1048576.00 KB, committed=128.00 KB
      """;

  private static final String OF_PARALLEL =
      " PSYoungGen      total 113152K, used 7782K [0x0000000782700000, 0x000000078a500000,"
          + " 0x0000000800000000)\n"
          + "  eden space 97280K, 8% used [0x0000000782700000,0x0000000782e99a98,"
          + "0x0000000788600000)\n"
          + " ParOldGen       total 258048K, used 0K [0x0000000687400000, 0x0000000697000000,"
          + " 0x0000000782700000)\n";

  @Test
  void eachHasItsOwner() {
    assertThat(JvmRanges.parse(OF_17, LISTS))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new Range(Owner.HEAP, 0x687400000L, 0x800000000L),
            new Range(Owner.ARCHIVE, 0x7f797b000000L, 0x7f797bbc7000L),
            new Range(Owner.METASPACE, 0x7f797c000000L, 0x7f79bc000000L),
            new Range(Owner.COLLECTOR, 0x7f79e483a000L, 0x7f79e5400000L),
            new Range(Owner.COLLECTOR, 0x7f79dde44000L, 0x7f79e3c74000L),
            new Range(Owner.CODE, 0x7f79ecec7000L, 0x7f79f4400000L),
            new Range(Owner.METASPACE, 0x7f5f04000000L, 0x7f5f08000000L),
            new Range(Owner.METASPACE, 0x7f797bbc7000L, 0x7f797c000000L));
  }

  @Test
  void generationsAreTheHeapWhereNoAddressIsNamed() {
    assertThat(JvmRanges.parse(OF_PARALLEL, ""))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new Range(Owner.HEAP, 0x782700000L, 0x800000000L),
            new Range(Owner.HEAP, 0x687400000L, 0x782700000L));
  }

  @Test
  void nodesOfJava11AreMetaspace() {
    String lists =
        """
        node @0x00007ff7a021a8b0: reserved=8.00 MB, committed=4.25 MB ( 53%), used=4.00 MB ( 50%)
           [0x00007ff77c400000, 0x00007ff77c801000, 0x00007ff77c840000, 0x00007ff77cc00000)
        """;
    assertThat(JvmRanges.parse("", lists))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(new Range(Owner.METASPACE, 0x7ff77c400000L, 0x7ff77cc00000L));
  }

  @Test
  void anAnswerThatIsEmptyNamesNothing() {
    assertThat(JvmRanges.parse("", "")).isEmpty();
  }

  @Test
  void trackedMallocIsThatOfTheJvm() {
    String answer =
        """
        -                    Thread (reserved=18491KB, committed=899KB)
                                    (malloc=40KB tag=Thread #109) (peak=48KB #113)
                                    (arena=19KB #32)
        -                     Other (reserved=262144KB, committed=262144KB)
                                    (malloc=262144KB tag=Other #256)
        -                    Symbol (reserved=1130KB, committed=1130KB)
                                    (malloc=770KB tag=Symbol #21) (at peak)
        """;
    assertThat(JvmFigures.malloced(answer))
        .containsExactly(entry("Thread", (40 + 19) * 1024L), entry("Symbol", 770 * 1024L));
    assertThat(JvmFigures.malloced("Native memory tracking is not enabled")).isNull();
  }
}
