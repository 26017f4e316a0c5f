package org.buftrail.jfr;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.buftrail.jfr.events.TimeRange;
import org.buftrail.jfr.file.ChunkFinder;
import org.buftrail.jfr.file.RecordingBuffer;
import org.jspecify.annotations.Nullable;

/** A recording that is being read. */
final class OpenRecording {
  final Path file;
  final FileChannel channel;
  TimeRange range = TimeRange.ALL;

  /** Finds its chunks, once the first was asked for. */
  @Nullable ChunkFinder finder;

  /** What that looks at. */
  @Nullable RecordingBuffer buffer;

  /** What chunks that are passed over are read in. */
  @Nullable RecordingBuffer passed;

  /** Whether it could not be read any further. */
  boolean failed;

  OpenRecording(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  void drop() {
    try {
      channel.close();
    } catch (IOException e) {
      failed = true;
    }
  }
}
