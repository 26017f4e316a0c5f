package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import org.buftrail.jfr.chunk.ChunkDecoder;
import org.buftrail.jfr.events.EventFilter;
import org.buftrail.jfr.events.TimeRange;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.file.ChunkFinder;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.RecordingBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many bytes are read of a recording. */
final class ReadOnceTest {
  /** What is looked at of each chunk before it is read: its header and its metadata. */
  private static final int LOOKED_AT = 128 << 10;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"jdk11", "jdk21", "dd-500-50-100"})
  void chunksThatFitAreReadOnce(String name) throws IOException {
    byte[] chunk = Files.readAllBytes(Recordings.unpack(name, directory));
    Path three = Files.createFile(directory.resolve("three.jfr"));
    for (int i = 0; i < 3; i++) {
      Files.write(three, chunk, StandardOpenOption.APPEND);
    }
    long size = Files.size(three);
    FailingChannel counted = new FailingChannel(FileChannel.open(three), size);
    RowReader reader = new RowReader(RowSelection.ALL, batch -> {});
    try (RowCursor cursor = reader.open("three", three, counted)) {
      while (cursor.next()) {
        // Goes on to the end.
      }
    }
    assertThat(counted.bytes()).isBetween(size, size + 3 * LOOKED_AT);
  }

  @Test
  void aLargerChunkIsReadAtMostTwice() throws IOException {
    Path file = Recordings.unpack("jdk11", directory);
    long size = Files.size(file);
    try (FailingChannel counted = new FailingChannel(FileChannel.open(file), size)) {
      RecordingBuffer little =
          new RecordingBuffer(ByteSource.ofFile(counted), null).glance(new byte[0]);
      ChunkHeader header = Objects.requireNonNull(new ChunkFinder(little).next()).header;
      EventFilter all = new EventFilter(Options.DEFAULT.values.kinds, Map.of(), false);
      new ChunkDecoder(all)
          .decode(little, Objects.requireNonNull(header), size, TimeRange.ALL, null);
      assertThat(counted.bytes()).isBetween(size, 2 * size);
    }
  }
}
