package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.buftrail.profile.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frees that are read together are what they are when each is read alone. */
final class FreeRunTest {
  private static final String MALLOC = "profiler.Malloc";
  private static final String FREE = "profiler.Free";
  private static final int EVENTS = 40_000;

  /** Everything, and yet a selection, for which every event is read alone. */
  private static final Options ONE_BY_ONE = Options.DEFAULT.between(0, Long.MAX_VALUE);

  @TempDir private Path directory;

  private static List<String> found(Conversion conversion, long broken) {
    assertThat(conversion.damages()).hasSize(broken > 0 ? 1 : 0);
    if (broken > 0) {
      assertThat(conversion.damages().get(0).toString())
          .contains(broken + " profiler.Free events are shorter than their fields");
    }
    List<String> found = new ArrayList<>();
    for (Stats.Row row : conversion.stats().rows()) {
      found.add(row.event() + " " + row.found() + " " + row.converted() + " " + row.bytes());
    }
    for (Profile profile : conversion.profiles().profiles()) {
      String type = profile.sampleType().type();
      found.add(profile.name() + profile.time() + " " + profile.duration());
      found.add(type + Flattened.of(conversion.profiles(), profile.name(), type));
    }
    return found;
  }

  /** Runs of frees with numbers of any length, long events and broken ones among them. */
  @Test
  void areTheSameAsOneByOne() throws IOException {
    Path made = directory.resolve("made.jfr");
    Random random = new Random(1);
    long broken = 0;
    try (ChunkFile chunk = new ChunkFile(made, true).shortSizes()) {
      chunk
          .thread(1, "one")
          .type(MALLOC, "pooled Thread eventThread", "long address", "long size")
          .type(FREE, "pooled Thread eventThread", "long other", "long address", "String more");
      for (int i = 0; i < EVENTS; i++) {
        // Of nine bytes if it is negative. Without these bits addresses repeat.
        long address = (random.nextLong() >> random.nextInt(64)) & ~0xf8L;
        long at = random.nextInt(20) == 0 ? -random.nextInt(1000) : i;
        long other = random.nextInt(50) == 0 ? -1 : random.nextInt(1 << 20);
        if (random.nextInt(4) == 0) {
          chunk.event(MALLOC, chunk.at(at).i8(1).i8(address).i8(1 + random.nextInt(1000)));
        } else if (random.nextInt(100) == 0) {
          // Ends before the address, or before what is passed over.
          ChunkFile.Fields start = chunk.at(at).i8(random.nextInt(2));
          chunk.event(FREE, random.nextBoolean() ? start : start.i8(other));
          broken++;
        } else {
          String more = "x".repeat(random.nextInt(10) == 0 ? 200 : 0);
          chunk.event(FREE, chunk.at(at).i8(random.nextInt(300)).i8(other).i8(address).chars(more));
        }
      }
    }
    Recording recording = Recording.of(made);
    List<String> together = found(recording.convert(Options.DEFAULT), broken);
    assertThat(together).hasSizeGreaterThan(6);
    assertThat(together).isEqualTo(found(recording.convert(ONE_BY_ONE), broken));
  }

  /** How many of three events of a type, with a number of one byte, are read. */
  private static long read(long type, int... event) {
    byte[] all = new byte[1000];
    for (int i = 0; i < 3 * event.length; i++) {
      all[i] = (byte) event[i % event.length];
    }
    EventTypes.Entry entry = new EventTypes.Entry(type, null, null);
    Pairing pairing = new Pairing();
    int bytes = new FreeRun(pairing, 2).read(new Window(all, all.length - 256, true), 0, entry);
    assertThat(entry.bytes).isEqualTo(bytes);
    assertThat(entry.converted).isEqualTo(entry.count);
    return entry.count;
  }

  @Test
  void areReadTogetherAsFarAsTheyLookAlike() {
    assertThat(read(121, 6, 121, 1, 1, 0, 5)).isEqualTo(3);
    assertThat(read(121, 8, 121, 1, 1, 0, 5, 0, 0)).as("with more fields").isEqualTo(3);
    assertThat(read(120, 6, 121, 1, 1, 0, 5)).as("another type").isZero();
    assertThat(read(-5, 6, -5, 1, 1, 0, 5)).as("a type of nine bytes").isZero();
    assertThat(read(121, 5, 121, 1, 1, 0x80, 5)).as("shorter than its fields").isZero();
    assertThat(read(121, -128, 121, 1, 1, 0, 5)).as("128 bytes").isZero();
    assertThat(read(121, 13, 121, 1, 1, 0, -1, -1, -1, -1, -1, -1, -1, -1))
        .as("a number of nine bytes")
        .isZero();
  }

  @Test
  void ofTheProfilerAreTheSameAsOneByOne() throws IOException {
    Recording recording = Recording.of(Recordings.unpack("async-profiler", directory));
    assertThat(found(recording.convert(Options.DEFAULT), 0))
        .isEqualTo(found(recording.convert(ONE_BY_ONE), 0));
  }
}
