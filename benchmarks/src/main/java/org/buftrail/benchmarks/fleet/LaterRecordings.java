package org.buftrail.benchmarks.fleet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The same recording at other times of the same day, as a fleet writes them. */
final class LaterRecordings {
  private static final int HEADER = 68;
  private static final int SIZE = 8;
  private static final int START = 32;

  private final byte[] recording;

  LaterRecordings(Path recording) throws IOException {
    this.recording = Files.readAllBytes(recording);
  }

  int bytes() {
    return recording.length;
  }

  /**
   * Writes some of them.
   *
   * @param first how many seconds later the first is
   */
  void write(Path directory, int first, int count) throws IOException {
    Files.createDirectories(directory);
    for (int i = first; i < first + count; i++) {
      Files.write(directory.resolve(String.format("%05d.jfr", i)), later(i));
    }
  }

  private byte[] later(int seconds) {
    byte[] moved = recording.clone();
    ByteBuffer bytes = ByteBuffer.wrap(moved);
    int chunk = 0;
    while (chunk + HEADER <= moved.length) {
      long start = bytes.getLong(chunk + START);
      long size = bytes.getLong(chunk + SIZE);
      bytes.putLong(chunk + START, start + TimeUnit.SECONDS.toNanos(seconds));
      if (size < HEADER) {
        break;
      }
      chunk = (int) Math.min(Integer.MAX_VALUE - HEADER, chunk + size);
    }
    return moved;
  }
}
