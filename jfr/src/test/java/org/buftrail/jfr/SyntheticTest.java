package org.buftrail.jfr;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.jfr.ChunkFile.ALLOCATE;
import static org.buftrail.jfr.ChunkFile.FREE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings in forms that the format allows and no JVM here writes. */
final class SyntheticTest {
  private static final String HOLE = "some.Hole";
  private static final String REALLOCATE = "io.netty.ReallocateBuffer";

  @TempDir private Path directory;

  private ChunkFile chunk(boolean compressed) throws IOException {
    return new ChunkFile(directory.resolve("made.jfr"), compressed)
        .type(ALLOCATE, "int size", "String allocatorType", "boolean direct", "long address")
        .type(FREE, "long address", "boolean direct")
        .type(REALLOCATE, "long address", "boolean direct", "int newCapacity")
        .type(HOLE);
  }

  private Profiles convert() throws IOException {
    Conversion conversion = Recording.of(directory.resolve("made.jfr")).convert(Options.DEFAULT);
    assertThat(conversion.damages()).isEmpty();
    return conversion.profiles();
  }

  /** The sums of a profile by the attribute that a text became. */
  private static Map<String, Long> sums(Profiles profiles, String name, String type) {
    Map<String, Long> sums = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      if (profile.name().equals(name) && profile.sampleType().type().equals(type)) {
        for (int i = 0; i < profile.samples().size(); i++) {
          int set = profile.samples().attributeSet(i);
          sums.merge(
              Flattened.attribute(profiles.dictionary(), set, "netty.allocator"),
              profile.value(i),
              Long::sum);
        }
      }
    }
    return sums;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readsEveryEncodingOfStringsAndIntegers(boolean compressed) throws IOException {
    try (ChunkFile chunk = chunk(compressed).constant(-7, "constant")) {
      chunk
          .event(ALLOCATE, chunk.at(1).i4(1).none(0).flag(true).i8(0x1000))
          .event(ALLOCATE, chunk.at(2).i4(2).none(1).flag(true).i8(0x2000))
          .event(ALLOCATE, chunk.at(3).i4(4).constant(-7).flag(true).i8(0x3000))
          .event(ALLOCATE, chunk.at(4).i4(8).text("ütf €", 3, UTF_8).flag(true).i8(0x4000))
          .event(ALLOCATE, chunk.at(5).i4(16).chars("chärs €").flag(true).i8(0x5000))
          .event(ALLOCATE, chunk.at(6).i4(32).text("lätin", 5, ISO_8859_1).flag(true).i8(-8))
          .event(ALLOCATE, chunk.at(7).i4(1 << 30).none(0).flag(false).i8(0x7000));
    }
    assertThat(sums(convert(), "netty", "allocated_space"))
        .isEqualTo(Map.of("null", 3L, "constant", 4L, "ütf €", 8L, "chärs €", 16L, "lätin", 32L));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void pairsBuffersByAddressInTheOrderOfTime(boolean compressed) throws IOException {
    try (ChunkFile chunk = chunk(compressed)) {
      chunk
          // Freed, although the free stands first in the file.
          .event(FREE, chunk.at(20).i8(0x1000).flag(true))
          .event(ALLOCATE, chunk.at(10).i4(1).chars("freed").flag(true).i8(0x1000))
          // The address was used before: that free came earlier.
          .event(ALLOCATE, chunk.at(40).i4(2).chars("live").flag(true).i8(0x2000))
          .event(FREE, chunk.at(30).i8(0x2000).flag(true))
          // Reallocated: the old address is free, the new one is live.
          .event(ALLOCATE, chunk.at(50).i4(4).chars("small").flag(true).i8(0x3000))
          .event(REALLOCATE, chunk.at(60).i8(0x3000).flag(true).i4(64))
          .event(ALLOCATE, chunk.at(61).i4(64).chars("grown").flag(true).i8(0x4000))
          // Without an address it cannot be paired.
          .event(ALLOCATE, chunk.at(65).i4(128).chars("pooled").flag(true).i8(0))
          // A heap buffer's address says nothing.
          .event(ALLOCATE, chunk.at(70).i4(8).chars("heap").flag(false).i8(0))
          .event(FREE, chunk.at(80).i8(0x4000).flag(false));
    }
    Profiles profiles = convert();
    assertThat(sums(profiles, "netty_live", "live_space"))
        .isEqualTo(Map.of("live", 2L, "grown", 64L));
    assertThat(sums(profiles, "netty_live", "live_objects"))
        .isEqualTo(Map.of("live", 1L, "grown", 1L));
    assertThat(sums(profiles, "netty", "allocated_objects"))
        .isEqualTo(Map.of("freed", 1L, "live", 1L, "small", 1L, "grown", 1L, "pooled", 1L));
  }

  @Test
  void pairsMoreEventsThanAreNotedAtATime() throws IOException {
    int buffers = 20_000;
    try (ChunkFile chunk = chunk(true)) {
      for (int i = 0; i < buffers; i++) {
        chunk.event(FREE, chunk.at(2 * buffers + i).i8(-1 - i).flag(true));
        if (i >= 7) {
          chunk.event(FREE, chunk.at(buffers + i).i8(0x1000 + i).flag(true));
        }
      }
      for (int i = 0; i < buffers; i++) {
        chunk.event(ALLOCATE, chunk.at(i).i4(3).chars("late").flag(true).i8(0x1000 + i));
      }
    }
    Profiles profiles = convert();
    assertThat(sums(profiles, "netty_live", "live_objects")).isEqualTo(Map.of("late", 7L));
    assertThat(sums(profiles, "netty_live", "live_space")).isEqualTo(Map.of("late", 21L));
    assertThat(sums(profiles, "netty", "allocated_objects")).isEqualTo(Map.of("late", 20_000L));
  }

  @Test
  void readsAChunkOfMoreThanTwoGigabytes() throws IOException {
    try (ChunkFile chunk = chunk(true).constant(1, "constant")) {
      chunk.event(ALLOCATE, chunk.at(1).i4(1).constant(1).flag(true).i8(0x1000));
      for (int i = 0; i < 12; i++) {
        chunk.hole(HOLE, (1 << 28) - 1);
      }
      chunk.event(ALLOCATE, chunk.at(2).i4(2).constant(1).flag(true).i8(0x2000));
    }
    Path made = directory.resolve("made.jfr");
    assertThat(Files.size(made)).isGreaterThan(3_000_000_000L);
    Conversion conversion = Recording.of(made).convert(Options.DEFAULT);
    assertThat(conversion.damages()).isEmpty();
    assertThat(sums(conversion.profiles(), "netty", "allocated_space"))
        .isEqualTo(Map.of("constant", 3L));
    assertThat(conversion.stats().bytes()).isEqualTo(Files.size(made));
  }

  @Test
  void pathsOfTheAgentBecomeStacksAndOnlyTheLastSnapshotIsLive() throws IOException {
    long second = 1_000_000_000L;
    Path made = directory.resolve("made.jfr");
    try (ChunkFile chunk =
        new ChunkFile(made, true)
            .type("buftrail.LiveFlows", "String path", "long count", "long bytes")) {
      chunk
          .event("buftrail.LiveFlows", chunk.at(1).chars("a.Root.get > b.C.gone:7").i8(9).i8(90))
          .event("buftrail.LiveFlows", chunk.at(2).chars("a.Root.get > b.C.held:8").i8(5).i8(50))
          .event(
              "buftrail.LiveFlows",
              chunk.at(10 * second).chars("a.Root.get > b.C.held:8").i8(3).i8(30));
    }
    Profiles profiles = Recording.of(made).profiles();
    assertThat(Flattened.of(profiles, "flow_live", "live_objects"))
        .isEqualTo(Map.of("null#null [b.C.held:8, a.Root.get:0]", 3L));
    assertThat(Flattened.of(profiles, "flow_live", "live_space").values()).containsExactly(30L);
  }

  @Test
  void leaksOfTheAgentAddUp() throws IOException {
    Path made = directory.resolve("made.jfr");
    try (ChunkFile chunk =
        new ChunkFile(made, true)
            .type("buftrail.Leak", "String path", "long count", "long bytes")) {
      chunk
          .event("buftrail.Leak", chunk.at(1).chars("a.Root.get > b.C.lost:7").i8(2).i8(20))
          .event("buftrail.Leak", chunk.at(2).chars("a.Root.get > b.C.lost:7").i8(3).i8(30));
    }
    Profiles profiles = Recording.of(made).profiles();
    assertThat(Flattened.of(profiles, "flow_leaked", "leaked_objects"))
        .isEqualTo(Map.of("null#null [b.C.lost:7, a.Root.get:0]", 5L));
    assertThat(Flattened.of(profiles, "flow_leaked", "leaked_space").values()).containsExactly(50L);
  }
}
