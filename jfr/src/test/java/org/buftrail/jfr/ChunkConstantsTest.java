package org.buftrail.jfr;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.jfr.ChunkFile.FREE;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.buftrail.jfr.file.Cursor;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a chunk's constants say of themselves need not be right. */
final class ChunkConstantsTest {
  /** Where a chunk's header says how far away the last checkpoint is. */
  private static final int CHECKPOINT = 16;

  @TempDir private Path directory;

  /** All values of all profiles, by thread and frames. */
  private static Map<String, Long> everything(Conversion conversion) {
    Profiles profiles = conversion.profiles();
    Map<String, Long> all = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      String name = profile.name() + " " + profile.sampleType().type();
      Flattened.of(profiles, profile.name(), profile.sampleType().type())
          .forEach((key, value) -> all.put(name + " " + key, value));
    }
    return all;
  }

  private static Conversion convert(Path recording) throws IOException {
    return new Converter(Options.DEFAULT).convert(List.of(recording));
  }

  @Test
  void doesNotTrustAChainThatLeavesCheckpointsOut() throws IOException {
    Path recording = Recordings.unpack("jdk21", directory);
    Map<String, Long> all = everything(convert(recording));
    byte[] bytes = Files.readAllBytes(recording);
    ByteBuffer header = ByteBuffer.wrap(bytes);
    Cursor window =
        new Cursor(Arrays.copyOf(bytes, bytes.length + Cursor.SLACK), bytes.length, true);
    long at = header.getLong(CHECKPOINT);
    window.position = (int) at;
    window.i4();
    window.i8();
    window.i8();
    window.i8();
    long distance = window.i8();
    assertThat(distance).as("distance to the checkpoint before the last").isNegative();
    header.putLong(CHECKPOINT, at + distance);
    Conversion conversion = convert(Files.write(directory.resolve("short.jfr"), bytes));
    assertThat(everything(conversion)).isEqualTo(all);
    assertThat(conversion.isPartial()).isFalse();
  }

  @Test
  void methodsOfAnotherProcessMayHaveTheKeysOfOthers() throws IOException {
    Path one = Recordings.unpack("jdk21", directory);
    String bytes = Files.readString(one, ISO_8859_1);
    Path other = directory.resolve("other.jfr");
    Files.writeString(other, bytes.replace("java/lang/Thread", "java/lang/Thraed"), ISO_8859_1);
    Map<String, Long> all = new TreeMap<>();
    for (Path each : List.of(one, other, one)) {
      samples(List.of(each)).forEach((key, count) -> all.merge(key, count, Long::sum));
    }
    assertThat(samples(List.of(one, other, one))).isEqualTo(all);
    assertThat(all).hasSizeGreaterThan(samples(List.of(one)).size());
  }

  private static Map<String, Long> samples(List<Path> recordings) throws IOException {
    return Flattened.of(
        new Converter(Options.DEFAULT).convert(recordings).profiles(), "cpu", "samples");
  }

  @Test
  void aConverterThatReadAKilledRecordingReadsAWholeOne() throws IOException {
    Path whole = Recordings.unpack("jdk25", directory);
    Path killed = Recordings.unpack("killed-25", directory);
    Converter converter = new Converter(Options.DEFAULT);
    for (Path recording : List.of(whole, killed, whole, killed)) {
      assertThat(everything(converter.convert(List.of(recording))))
          .isEqualTo(everything(convert(recording)));
    }
  }

  /** Says that the last checkpoint takes so many bytes. */
  private static void resizeLastCheckpoint(byte[] bytes, long size) {
    int at = (int) ByteBuffer.wrap(bytes).getLong(CHECKPOINT);
    for (int i = 0; i < 4; i++) {
      bytes[at + i] = (byte) (((size >>> (7 * i)) & 0x7f) | (i < 3 ? 0x80 : 0));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1 << 20, (1 << 28) - 1})
  void aCheckpointOfWrongSizeDoesNotReachIntoTheNextChunk(long size) throws IOException {
    byte[] good = Files.readAllBytes(Recordings.unpack("jdk21", directory));
    byte[] bad = good.clone();
    resizeLastCheckpoint(bad, size);
    int alone = convert(Files.write(directory.resolve("one.jfr"), bad)).damages().size();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int chunks = 0;
    // More than a window holds: one of them is alone in it.
    while (all.size() <= RecordingBuffer.CAPACITY + good.length) {
      all.writeBytes(bad);
      chunks++;
    }
    Path damaged = Files.write(directory.resolve("damaged.jfr"), all.toByteArray());
    assertThat(convert(damaged).damages()).hasSize(alone * chunks).isNotEmpty();
  }

  /**
   * Frames that repeat often, and frames that hardly repeat; more than a window holds of stacks.
   */
  @ParameterizedTest
  @CsvSource({"97, 500, 150", "90000, 1800, 100", "23, 9000, 200"})
  void everyStackTraceIsDecoded(int methods, int stacks, int depth) throws IOException {
    Path made = directory.resolve("made.jfr");
    String[][] frames = new String[methods][];
    for (int i = 0; i < methods; i++) {
      frames[i] = new String[] {"A" + i % 3, "m" + i, "()V", "Interpreted"};
    }
    Set<String> expected = new HashSet<>();
    try (ChunkFile chunk =
        new ChunkFile(made, true)
            .asHotSpot()
            .type("jdk.ExecutionSample", "pooled StackTrace stackTrace")) {
      for (int i = 1; i <= stacks; i++) {
        String[][] stack = new String[depth][];
        List<String> names = new ArrayList<>();
        for (int k = 0; k < depth; k++) {
          stack[k] = frames[(i * depth + i / 7 * k + k) % methods];
          names.add(stack[k][0] + "." + stack[k][1] + "()V:0");
        }
        chunk.stack(i, stack);
        expected.add("cpu samples null#null " + names);
      }
      for (int i = 0; i < 2 * stacks; i++) {
        chunk.event("jdk.ExecutionSample", chunk.at(i).i8(1 + i % stacks));
      }
    }
    Map<String, Long> all = everything(convert(made));
    // Not compared by the library, which would print all of it.
    assertThat(all.keySet().equals(expected)).as("the stacks are those that were written").isTrue();
    assertThat(all.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(2L * stacks);
  }

  /** The frames of the one are longer than those of the other, and there are many. */
  @Test
  void twoTypesOfStackTracesDoNotReachBehindTheData() throws IOException {
    Path made = directory.resolve("made.jfr");
    String[][] frames = new String[20_000][];
    Arrays.fill(frames, new String[] {"A", "a", "()V", "Interpreted"});
    try (ChunkFile chunk =
        new ChunkFile(made, true)
            .type("jdk.ExecutionSample", "pooled StackTrace stackTrace")
            .type("Long", "long method", "long b", "long c", "long d", "long e", "long f", "long g")
            .type("jdk.types.StackTrace#other", "array Long frames")
            .stack(1, frames)) {
      chunk.event("jdk.ExecutionSample", chunk.at(1).i8(1));
    }
    Conversion conversion = convert(made);
    assertThat(everything(conversion)).hasSize(1).containsValue(1L);
    assertThat(conversion.isPartial()).isTrue();
  }

  @Test
  void methodsThatNobodyNamesMayLackTheirClass() throws IOException {
    Path made = directory.resolve("made.jfr");
    try (ChunkFile chunk =
        new ChunkFile(made, true)
            .asHotSpot()
            .type("jdk.ExecutionSample", "pooled StackTrace stackTrace")
            .stack(1, new String[] {"A", "a", "()V", "Interpreted"})
            .lostMethods(2)) {
      chunk.event("jdk.ExecutionSample", chunk.at(1).i8(1));
    }
    Conversion conversion = convert(made);
    assertThat(everything(conversion)).containsOnlyKeys("cpu samples null#null [A.a()V:0]");
    assertThat(conversion.isPartial()).isFalse();
  }

  @Test
  void whatNoEventNamesMayBeMissing() throws IOException {
    Path made = directory.resolve("made.jfr");
    try (ChunkFile chunk =
        new ChunkFile(made, true)
            .type(FREE, "long address", "boolean direct", "pooled StackTrace stackTrace")
            .stack(1, new String[] {"A", "a", "()V", "Interpreted"})
            .lostStack(2)) {
      chunk.event(FREE, chunk.at(1).i8(16).flag(true).i8(1));
    }
    Conversion conversion = convert(made);
    assertThat(conversion.damages()).isEmpty();
  }
}
