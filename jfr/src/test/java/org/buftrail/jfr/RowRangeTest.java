package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.file.ChunkFinder;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleColumn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of recordings against the whole, row by row. */
final class RowRangeTest {
  private static final RowSelection EVERYTHING =
      new RowSelection(SampleColumn.ALL, null, Long.MIN_VALUE, Long.MAX_VALUE, null);

  private static final String MALLOC = "profiler.Malloc";
  private static final String FREE = "profiler.Free";

  @TempDir private Path directory;

  private static void note(SampleBatch batch, Map<String, Integer> rows) {
    for (int i = 0; i < batch.size(); i++) {
      Object[] row = {
        batch.recording(),
        batch.service(),
        batch.host(),
        batch.process(),
        batch.kind(i),
        batch.event(i),
        batch.time(i),
        batch.value(i),
        batch.unit(i),
        batch.hasSecond(i) ? batch.second(i) : null,
        batch.secondUnit(i),
        batch.thread(i),
        batch.state(i),
        batch.span(i),
        batch.trace(i),
        new TreeMap<>(batch.tags(i)),
        batch.stackId(i),
        batch.isOther(i) ? new TreeMap<>(batch.fields(i)) : null
      };
      rows.merge(Arrays.toString(row), 1, Integer::sum);
    }
  }

  private static Map<String, Integer> whole(Path file) throws RecordingException {
    Map<String, Integer> rows = new TreeMap<>();
    new RowReader(EVERYTHING, batch -> note(batch, rows)).read(file);
    return rows;
  }

  private static List<Damage> read(RowRange range, Path file, Map<String, Integer> rows)
      throws IOException {
    RowReader reader = new RowReader(EVERYTHING, range, batch -> note(batch, rows));
    try (RowCursor cursor = reader.open(file.toString(), file, FileChannel.open(file))) {
      while (cursor.next()) {
        // Rows are noted.
      }
      return cursor.damages();
    }
  }

  /** Where the chunks of a file begin, and its end. */
  private static List<Long> starts(Path file) throws IOException {
    List<Long> starts = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file)) {
      ChunkFinder finder = new ChunkFinder(new RecordingBuffer(ByteSource.ofFile(channel), null));
      for (ChunkFinder.Chunk chunk = finder.next(); chunk != null; chunk = finder.next()) {
        starts.add(chunk.start);
      }
    }
    starts.add(Files.size(file));
    return starts;
  }

  private static Map<String, Integer> parts(Path file, long step) throws IOException {
    Map<String, Integer> rows = new TreeMap<>();
    long size = Files.size(file);
    for (long from = 0; from < size; from += step) {
      read(RowRange.chunks(from, Math.min(size, from + step)), file, rows);
    }
    read(RowRange.ends(), file, rows);
    return rows;
  }

  private Path joined(String... names) throws IOException {
    Path joined = directory.resolve("joined.jfr");
    Files.deleteIfExists(joined);
    Files.createFile(joined);
    for (String name : names) {
      Files.write(
          joined,
          Files.readAllBytes(Recordings.unpack(name, directory)),
          StandardOpenOption.APPEND);
    }
    return joined;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdk11",
        "jdk21",
        "jdk25",
        "async-profiler",
        "killed-17",
        "killed-25",
        "dd-500-50-100",
        "jdk-500-50-100"
      })
  void partsAreTogetherTheWhole(String name) throws IOException {
    Path file = Recordings.unpack(name, directory);
    Map<String, Integer> whole = whole(file);

    assertThat(whole).isNotEmpty();
    assertThat(parts(file, Files.size(file) / 5 + 1)).isEqualTo(whole);
  }

  @Test
  void partsOfManyChunksAreTogetherTheWhole() throws IOException {
    for (String name : List.of("jdk21", "async-profiler", "killed-25")) {
      Path file = joined(name, name, name, name);
      Map<String, Integer> whole = whole(file);

      assertThat(starts(file)).as(name).hasSizeGreaterThan(4);
      assertThat(parts(file, Files.size(file) / 7 + 1)).as(name).isEqualTo(whole);
    }
  }

  @Test
  void partsOfDifferentRecordingsAreTogetherTheWhole() throws IOException {
    for (List<String> names :
        List.of(
            List.of("jdk21", "async-profiler", "jdk25"),
            List.of("async-profiler", "jdk25", "killed-25"),
            List.of("jdk25", "jdk11", "async-profiler"))) {
      Path file = joined(names.toArray(String[]::new));
      // Few words if it fails: there are thousands of rows.
      Map<String, Integer> missing = whole(file);
      Map<String, Integer> more = parts(file, Files.size(file) / 7 + 1);
      assertThat(missing).hasSizeGreaterThan(1_000);
      Set<Map.Entry<String, Integer>> all = Set.copyOf(missing.entrySet());
      missing.entrySet().removeAll(Set.copyOf(more.entrySet()));
      more.entrySet().removeAll(all);
      assertThat(missing.keySet()).as("missing of " + names).isEmpty();
      assertThat(more.keySet()).as("too many of " + names).isEmpty();
    }
  }

  @Test
  void whatASystemFailsToReadIsThrown() throws IOException {
    Path file = joined("jdk21", "jdk25");
    long size = Files.size(file);
    for (long readable : List.of(0L, size / 3, size * 2 / 3, size - 1)) {
      RowReader reader = new RowReader(EVERYTHING, batch -> {});
      FileChannel channel = new FailingChannel(FileChannel.open(file), readable);
      try (RowCursor cursor = reader.open("it", file, channel)) {
        assertThatThrownBy(
                () -> {
                  while (cursor.next()) {
                    // Rows are of no interest.
                  }
                })
            .isNotInstanceOf(RecordingException.class)
            .hasMessage("Input/output error");
        assertThat(cursor.next()).isFalse();
      }
    }
  }

  @Test
  void eachChunkIsInOnePart() throws IOException {
    Path file = joined("jdk21", "jdk21", "jdk21");
    List<Long> starts = starts(file);
    int chunks = 0;
    for (int i = 0; i + 1 < starts.size(); i++) {
      Map<String, Integer> rows = new TreeMap<>();
      read(RowRange.chunks(starts.get(i), starts.get(i + 1)), file, rows);
      chunks += rows.isEmpty() ? 0 : 1;
      Map<String, Integer> none = new TreeMap<>();
      read(RowRange.chunks(starts.get(i) + 1, starts.get(i) + 2), file, none);
      assertThat(none).isEmpty();
    }
    assertThat(chunks).isEqualTo(starts.size() - 1);
  }

  private byte[] chunk(long start, Content content) throws IOException {
    Path path = Files.createTempFile(directory, "chunk", ".jfr");
    try (ChunkFile chunk = new ChunkFile(path, true)) {
      chunk
          .type(MALLOC, "pooled Thread eventThread", "long address", "long size")
          .type(FREE, "pooled Thread eventThread", "long address")
          .beginning(ChunkFile.START_NANOS + start, start)
          .thread(7, "seven");
      content.write(chunk);
    }
    return Files.readAllBytes(path);
  }

  /** Writes one chunk. */
  private interface Content {
    void write(ChunkFile chunk) throws IOException;
  }

  @Test
  void whatOneChunkAllocatesAnotherFrees() throws IOException {
    Path file = directory.resolve("made.jfr");
    Files.write(
        file,
        chunk(
            0,
            chunk -> {
              chunk.event(MALLOC, chunk.at(1).i8(7).i8(0x10).i8(100));
              chunk.event(MALLOC, chunk.at(2).i8(7).i8(0x20).i8(200));
            }));
    Files.write(
        file,
        chunk(
            1000,
            chunk -> {
              chunk.event(FREE, chunk.at(1001).i8(7).i8(0x10));
              chunk.event(MALLOC, chunk.at(1002).i8(7).i8(0x30).i8(400));
            }),
        StandardOpenOption.APPEND);
    Map<String, Integer> ends = new TreeMap<>();
    read(RowRange.ends(), file, ends);

    assertThat(ends.keySet())
        .hasSize(2)
        .allMatch(row -> row.contains("nativemem_unfreed"))
        .anyMatch(row -> row.contains("1, count, 200,"))
        .anyMatch(row -> row.contains("1, count, 400,"));
    assertThat(parts(file, Files.size(file) / 2 - 1)).isEqualTo(whole(file)).hasSize(9);
  }

  @Test
  void cursorReadsWhatReadDoes() throws IOException {
    for (String name : List.of("jdk25", "async-profiler")) {
      Path file = Recordings.unpack(name, directory);
      Map<String, Integer> rows = new TreeMap<>();
      RowReader reader = new RowReader(EVERYTHING, batch -> note(batch, rows));
      for (int round = 1; round <= 2; round++) {
        rows.clear();
        try (RowCursor cursor = reader.open(file.toString(), file)) {
          while (cursor.next()) {
            // Rows are noted.
          }
          assertThat(cursor.damages()).isEmpty();
          assertThat(cursor.next()).isFalse();
        }
        assertThat(rows).isEqualTo(whole(file));
      }
    }
  }

  @Test
  void damagesAreOfThePartThatHasThem() throws IOException {
    byte[] bytes = Files.readAllBytes(joined("jdk21", "jdk21"));
    Path cut = directory.resolve("cut.jfr");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length - bytes.length / 8));
    List<Long> starts = starts(cut);
    long last = starts.get(starts.size() - 2);
    Map<String, Integer> rows = new TreeMap<>();

    assertThat(read(RowRange.chunks(0, last), cut, rows)).isEmpty();
    assertThat(read(RowRange.chunks(last, bytes.length), cut, rows).toString()).contains("cut.jfr");
    read(RowRange.ends(), cut, rows);
    assertThat(rows).isEqualTo(whole(cut));
  }

  @Test
  void whatIsNoneOrGoneIsNamed() throws IOException {
    Path none = Files.writeString(directory.resolve("none.jfr"), "no recording at all");
    Path gone = directory.resolve("gone.jfr");
    RowReader reader = new RowReader(EVERYTHING, batch -> {});
    for (Path file : List.of(none, gone)) {
      try (RowCursor cursor = reader.open(file.toString(), file)) {
        assertThatThrownBy(
                () -> {
                  while (cursor.next()) {
                    // There is nothing.
                  }
                })
            .isInstanceOf(RecordingException.class)
            .hasMessageContaining(file.toString());
        assertThat(cursor.next()).isFalse();
      }
    }
  }
}
