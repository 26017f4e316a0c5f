package org.buftrail.jfr.merge;

import java.io.IOException;
import java.nio.file.Path;
import org.buftrail.jfr.events.TimeRange;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.file.ChunkFinder;
import org.buftrail.jfr.file.RecordingBuffer;
import org.jspecify.annotations.Nullable;

/** A recording that is being read. */
final class OpenRecording {
  final Path file;
  final ByteSource bytes;
  TimeRange range = TimeRange.ALL;

  /** Finds its chunks, once the first was asked for. */
  @Nullable ChunkFinder finder;

  /** What that looks at. */
  @Nullable RecordingBuffer buffer;

  /** What chunks that are passed over are read in. */
  @Nullable RecordingBuffer passed;

  /** Whether it could not be read any further. */
  boolean failed;

  OpenRecording(Path file, ByteSource bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  void drop() {
    try {
      bytes.close();
    } catch (IOException e) {
      failed = true;
    }
  }
}
