package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.jfr.ChunkFile.ALLOCATE;
import static org.buftrail.jfr.ChunkFile.FREE;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a chunk's constants are read before its events or after them makes no difference. */
final class ConstantsAheadTest {
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

  /** With a selected time, constants are read when it is known which of them events name. */
  private static Conversion inTurn(Path recording) throws IOException {
    return new Converter(Options.DEFAULT.between(1, Long.MAX_VALUE)).convert(List.of(recording));
  }

  private static Conversion ahead(Path recording) throws IOException {
    return new Converter(Options.DEFAULT).convert(List.of(recording));
  }

  @ParameterizedTest
  @ValueSource(strings = {"async-profiler", "jdk11", "jdk21", "jdk25", "jdk-500-50-100"})
  void findsTheSame(String name) throws IOException {
    Path recording = Recordings.unpack(name, directory);
    Map<String, Long> all = everything(ahead(recording));
    assertThat(all).hasSizeGreaterThan(20).isEqualTo(everything(inTurn(recording)));
  }

  @Test
  void doesNotTrustAChainThatLeavesCheckpointsOut() throws IOException {
    Path recording = Recordings.unpack("jdk21", directory);
    Map<String, Long> all = everything(ahead(recording));
    byte[] bytes = Files.readAllBytes(recording);
    ByteBuffer header = ByteBuffer.wrap(bytes);
    Window window =
        new Window(Arrays.copyOf(bytes, bytes.length + Window.SLACK), bytes.length, true);
    long at = header.getLong(CHECKPOINT);
    window.seek(at);
    window.i4();
    window.i8();
    window.i8();
    window.i8();
    long distance = window.i8();
    assertThat(distance).as("distance to the checkpoint before the last").isNegative();
    header.putLong(CHECKPOINT, at + distance);
    Conversion conversion = ahead(Files.write(directory.resolve("short.jfr"), bytes));
    assertThat(everything(conversion)).isEqualTo(all);
    assertThat(conversion.isPartial()).isFalse();
  }

  @Test
  void aConverterThatReadAheadReadsInTurn() throws IOException {
    Path whole = Recordings.unpack("jdk25", directory);
    Path killed = Recordings.unpack("killed-25", directory);
    Converter converter = new Converter(Options.DEFAULT);
    for (Path recording : List.of(whole, killed, whole, killed)) {
      assertThat(everything(converter.convert(List.of(recording))))
          .isEqualTo(everything(ahead(recording)));
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
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    // More than a window holds: one of them is alone in it.
    while (all.size() <= Window.CAPACITY + good.length) {
      all.writeBytes(bad);
    }
    Path damaged = Files.write(directory.resolve("damaged.jfr"), all.toByteArray());
    Conversion conversion = ahead(damaged);
    Conversion expected = inTurn(damaged);
    assertThat(everything(conversion)).isEqualTo(everything(expected));
    assertThat(conversion.damages()).isEqualTo(expected.damages()).isNotEmpty();
  }

  @Test
  void doesNotReadBytesTwiceThatAreInTwoCheckpoints() throws IOException {
    Path made = directory.resolve("made.jfr");
    try (ChunkFile chunk = new ChunkFile(made, true).type(FREE, "long address", "boolean direct")) {
      chunk.overlappingCheckpoints(20_000);
    }
    assertThat(ahead(made).damages()).isEqualTo(inTurn(made).damages());
  }

  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void aThreadOfTheCommonPoolReadsAhead() throws Exception {
    Path made = directory.resolve("made.jfr");
    try (ChunkFile chunk = ChunkFile.ofBuffers(made)) {
      for (int i = 1; i < 20_000; i++) {
        chunk.event(ALLOCATE, chunk.at(2L * i).i4(i).flag(true).i8(16L * i));
        chunk.event(FREE, chunk.at(2L * i + 1).i8(16L * i - i % 10).flag(true));
      }
    }
    // Unlike the pool's own, this task is not run by who waits for it.
    FutureTask<Map<String, Long>> task = new FutureTask<>(() -> everything(ahead(made)));
    ForkJoinPool.commonPool().execute(task);
    assertThat(task.get(30, TimeUnit.SECONDS)).isNotEmpty().isEqualTo(everything(inTurn(made)));
  }

  /**
   * A recording with a sample of each stack, and so many more events that they take longer to read
   * than the constants.
   *
   * @param methods of how many the frames are
   */
  private Path samples(int methods, int stacks, int depth, int events) throws IOException {
    Path made = directory.resolve("made.jfr");
    String[][] frames = new String[methods][];
    for (int i = 0; i < methods; i++) {
      frames[i] = new String[] {"A" + i % 3, "m" + i, "()V", "Interpreted"};
    }
    try (ChunkFile chunk =
        new ChunkFile(made, true)
            .asHotSpot()
            .type("jdk.ExecutionSample", "pooled StackTrace stackTrace")) {
      for (int i = 1; i <= stacks; i++) {
        String[][] stack = new String[depth][];
        for (int k = 0; k < depth; k++) {
          stack[k] = frames[(i * depth + i / 7 * k + k) % methods];
        }
        chunk.stack(i, stack);
      }
      for (int i = 0; i < events; i++) {
        chunk.event("jdk.ExecutionSample", chunk.at(i).i8(1 + i % stacks));
      }
    }
    return made;
  }

  /** More than the ring of batches holds at first. */
  @Test
  void stackTracesWaitUntilNamesAreKnown() throws IOException {
    Path made = samples(97, 500, 150, 100_000);
    Map<String, Long> all = everything(ahead(made));
    assertThat(all).hasSizeGreaterThan(250).isEqualTo(everything(inTurn(made)));
    assertThat(all.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(100_000);
  }

  /** Few batches; more new frames than may wait; more batches than are offered early. */
  @ParameterizedTest
  @CsvSource({"97, 500, 150", "90000, 1800, 100", "23, 9000, 200"})
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void stackTracesAreDecodedWhileOthersAreFound(int methods, int stacks, int depth)
      throws IOException {
    Path made = samples(methods, stacks, depth, stacks);
    Map<String, Long> expected = everything(inTurn(made));
    Converter converter = new Converter(Options.DEFAULT);
    for (int i = 0; i < 3; i++) {
      Map<String, Long> all = everything(converter.convert(List.of(made)));
      assertThat(all).isEqualTo(expected);
      assertThat(all.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(stacks);
    }
  }

  /** More new frames than may wait for their names, with one processor. */
  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void stackTracesThatMayNotWaitAreDecodedLater() throws IOException {
    Path made = samples(90_000, 900, 100, 20_000);
    Converter converter = new Converter(Options.DEFAULT);
    for (int i = 0; i < 2; i++) {
      Map<String, Long> all = everything(converter.convert(List.of(made)));
      assertThat(all).hasSize(900).isEqualTo(everything(inTurn(made)));
    }
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
    Conversion conversion = ahead(made);
    assertThat(everything(conversion)).isEqualTo(everything(inTurn(made)));
    assertThat(conversion.isPartial()).isTrue();
  }

  /** Methods are named before it is known who names them. */
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
    Conversion conversion = ahead(made);
    assertThat(everything(conversion)).hasSize(1).isEqualTo(everything(inTurn(made)));
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
    Conversion conversion = ahead(made);
    assertThat(everything(conversion)).isEqualTo(everything(inTurn(made)));
    assertThat(conversion.damages()).isEmpty();
  }
}
