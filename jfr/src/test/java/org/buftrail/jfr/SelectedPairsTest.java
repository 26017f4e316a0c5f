package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.buftrail.jfr.ChunkFile.ALLOCATE;
import static org.buftrail.jfr.ChunkFile.FREE;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A selection of allocations says nothing of where, or when, they are freed. */
final class SelectedPairsTest {
  private static final String WANTED = "java.nio.ByteBuffer.allocateDirect";

  @TempDir private Path directory;

  /** What a profile has with, or without, a frame. */
  private static Map<String, Long> part(Profiles profiles, String name, String type, boolean with) {
    Map<String, Long> part = new TreeMap<>(Flattened.of(profiles, name, type));
    part.keySet().removeIf(key -> key.contains(WANTED + "(") != with);
    return part;
  }

  @Test
  void filtersStacksOfWhatIsLiveAfterAllFreesAreKnown() throws IOException {
    Recording recording = Recording.of(Recordings.unpack("async-profiler", directory));
    Profiles all = recording.profiles();
    Pattern frame = Pattern.compile(Pattern.quote(WANTED));
    Profiles included = recording.convert(Options.DEFAULT.include(frame)).profiles();
    Profiles excluded = recording.convert(Options.DEFAULT.exclude(frame)).profiles();
    for (String type : new String[] {"unfreed_objects", "unfreed_space"}) {
      Map<String, Long> with = part(all, "nativemem_unfreed", type, true);
      Map<String, Long> without = part(all, "nativemem_unfreed", type, false);
      assertThat(with).isNotEmpty();
      assertThat(without).hasSizeGreaterThan(5);
      assertThat(Flattened.of(included, "nativemem_unfreed", type)).isEqualTo(with);
      assertThat(Flattened.of(excluded, "nativemem_unfreed", type)).isEqualTo(without);
    }
    assertThat(Flattened.of(included, "nativemem", "malloc_space"))
        .isEqualTo(part(all, "nativemem", "malloc_space", true));
  }

  @Test
  void aFreeOutsideTheSelectedTimeFrees() throws IOException {
    Path made = directory.resolve("made.jfr");
    try (ChunkFile chunk = ChunkFile.ofBuffers(made)) {
      chunk
          // Before the time: live, but not asked for.
          .event(ALLOCATE, chunk.at(10).i4(1).flag(true).i8(0x1000))
          // In the time: freed in it, freed after it, never freed, and freed unseen: the address
          // was allocated again after it.
          .event(ALLOCATE, chunk.at(20).i4(2).flag(true).i8(0x2000))
          .event(FREE, chunk.at(25).i8(0x2000).flag(true))
          .event(ALLOCATE, chunk.at(21).i4(4).flag(true).i8(0x3000))
          .event(FREE, chunk.at(50).i8(0x3000).flag(true))
          .event(ALLOCATE, chunk.at(22).i4(8).flag(true).i8(0x4000))
          .event(ALLOCATE, chunk.at(23).i4(16).flag(true).i8(0x5000))
          .event(ALLOCATE, chunk.at(60).i4(32).flag(true).i8(0x5000))
          // A free from before the time, of an address that is used again in it.
          .event(FREE, chunk.at(11).i8(0x6000).flag(true))
          .event(ALLOCATE, chunk.at(24).i4(64).flag(true).i8(0x6000));
    }
    Options inTime =
        Options.DEFAULT.between(ChunkFile.START_NANOS + 20, ChunkFile.START_NANOS + 30);
    Conversion conversion = Recording.of(made).convert(inTime);
    assertThat(totals(conversion.profiles()))
        .isEqualTo(
            Map.of(
                "allocated_objects", 5L,
                "allocated_space", 94L,
                "live_objects", 2L,
                "live_space", 72L));
    assertThat(conversion.stats().rows())
        .extracting(Stats.Row::event, Stats.Row::found, Stats.Row::converted)
        .containsExactlyInAnyOrder(tuple(ALLOCATE, 7L, 5L), tuple(FREE, 3L, 1L));
  }

  @Test
  void twoCopiesOfNettyFreeTheirOwn() throws IOException {
    Path made = directory.resolve("copies.jfr");
    String other = "AllocateBufferEvent";
    String[] allocation = {
      "int size", "boolean direct", "long address", "pooled Thread eventThread"
    };
    try (ChunkFile chunk = new ChunkFile(made, true)) {
      chunk.thread(1, "one").thread(2, "two").thread(3, "three");
      chunk
          .type(ALLOCATE, allocation)
          .type(other, allocation)
          .type("FreeBufferEvent", "long address", "boolean direct")
          .event(ALLOCATE, chunk.at(10).i4(1).flag(true).i8(0x1000).i8(1))
          .event(other, chunk.at(20).i4(2).flag(true).i8(0x2000).i8(2))
          .event(other, chunk.at(21).i4(4).flag(true).i8(0x3000).i8(3))
          .event("FreeBufferEvent", chunk.at(30).i8(0x2000).flag(true))
          .event("FreeBufferEvent", chunk.at(31).i8(0x1000).flag(true));
    }
    assertThat(Flattened.of(Recording.of(made).profiles(), "netty_live", "live_space"))
        .isEqualTo(Map.of("one#1 []", 1L, "three#3 []", 4L));
  }

  @Test
  void twoTypesOfOneNameKeepTheirRowsApart() throws IOException {
    Path made = directory.resolve("loaders.jfr");
    String other = ALLOCATE + "#2";
    String[] allocation = {
      "int size", "boolean direct", "long address", "pooled Thread eventThread"
    };
    try (ChunkFile chunk = new ChunkFile(made, true)) {
      chunk.thread(1, "one").thread(2, "two").thread(3, "three");
      chunk.type(ALLOCATE, allocation).type(other, allocation);
      chunk.event(ALLOCATE, chunk.at(10).i4(1).flag(true).i8(0x1000).i8(1));
      for (int i = 0; i < 200; i++) {
        chunk.event(other, chunk.at(20 + i).i4(2).flag(true).i8(0x2000 + 16 * i).i8(2 + i % 2));
      }
    }
    assertThat(Flattened.of(Recording.of(made).profiles(), "netty_live", "live_space"))
        .isEqualTo(Map.of("one#1 []", 1L, "two#2 []", 200L, "three#3 []", 200L));
  }

  private static Map<String, Long> totals(Profiles profiles) {
    Map<String, Long> totals = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      totals.put(profile.sampleType().type(), profile.total());
    }
    return totals;
  }
}
