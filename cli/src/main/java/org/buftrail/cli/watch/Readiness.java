package org.buftrail.cli.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Tells by the headers of chunks whether a recording is finished: a JVM writes into a chunk for
 * minutes, and makes the file of the next one before it needs it. Packed files do not show it.
 */
final class Readiness {
  private static final int HEADER = 68;
  private static final int MAGIC = 0x464c5200;
  private static final int SIZE = 8;
  private static final int STATE = 64;

  private Readiness() {}

  /** The state that a file shows by itself. */
  enum State {
    /** A file that was made for what will come. */
    RESERVED,
    /** Its last chunk is being written, or was when its writer died. */
    UNFINISHED,
    /** All is there, or the file cannot show it. */
    FINISHED
  }

  /**
   * Looks at a file; one that cannot be read counts as finished, so that the failure is reported.
   */
  static State of(Path file) {
    try (FileChannel channel = FileChannel.open(file)) {
      long length = channel.size();
      if (length == 0) {
        return State.RESERVED;
      }
      ByteBuffer header = ByteBuffer.allocate(HEADER);
      for (long at = 0; at < length; at += header.getLong(SIZE)) {
        header.clear();
        while (header.hasRemaining() && channel.read(header, at + header.position()) > 0) {
          // Goes on until it is full, or the file ends.
        }
        if (header.position() < Integer.BYTES || header.getInt(0) != MAGIC) {
          // No recording, a packed one, or one that is damaged, as its reader will say.
          return State.FINISHED;
        }
        if (!isFinished(header, length - at)) {
          return State.UNFINISHED;
        }
      }
      return State.FINISHED;
    } catch (IOException e) {
      return State.FINISHED;
    }
  }

  /** Whether a chunk is, of which there are so many bytes. */
  private static boolean isFinished(ByteBuffer header, long left) {
    if (header.hasRemaining()) {
      return false;
    }
    long size = header.getLong(SIZE);
    return size >= HEADER && size <= left && header.get(STATE) == 0;
  }
}
