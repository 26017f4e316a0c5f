package org.buftrail.report.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Which pages of a process are in RAM, by Linux' {@code pagemap}. */
interface PresentPages {
  /** Linux' usual size of a page on the machines that HotSpot runs on. */
  int PAGE = 4_096;

  /** Bytes in RAM between two addresses; -1 where the system does not say. */
  long between(long start, long end);

  /**
   * Those of a process of this user.
   *
   * @param process its directory, {@code /proc/PID}
   */
  static PresentPages of(Path process) {
    Path file = process.resolve("pagemap");
    return (start, end) -> {
      try (FileChannel channel = FileChannel.open(file)) {
        ByteBuffer words = ByteBuffer.allocate(64 << 10).order(ByteOrder.nativeOrder());
        long present = 0;
        long page = start / PAGE;
        long after = (end + PAGE - 1) / PAGE;
        while (page < after) {
          words.clear().limit((int) Math.min(words.capacity(), (after - page) * Long.BYTES));
          int length = channel.read(words, page * Long.BYTES);
          if (length < Long.BYTES) {
            return -1;
          }
          words.flip();
          for (; words.remaining() >= Long.BYTES; page++) {
            // The highest bit says so.
            present += words.getLong() < 0 ? PAGE : 0;
          }
        }
        return present;
      } catch (IOException e) {
        return -1;
      }
    };
  }
}
