package org.buftrail.it.programs;

import io.netty.buffer.PooledByteBufAllocator;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TimeZone;

/**
 * Opens a file again and again until a file {@code stop} appears; then {@code result} says how
 * often that failed, and the offset in hours of a time zone, which the JDK then reads for the first
 * time.
 */
public final class OpensFiles {
  private OpensFiles() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
    Path ready = Files.createFile(Path.of("ready"));
    int failed = 0;
    while (!Files.exists(Path.of("stop"))) {
      try (FileInputStream in = new FileInputStream(ready.toFile())) {
        failed += in.read() < 0 ? 0 : 1;
      } catch (IOException e) {
        failed++;
      }
      Thread.sleep(5);
    }
    int hours = TimeZone.getTimeZone("Asia/Tokyo").getRawOffset() / 3_600_000;
    Files.writeString(Path.of("result"), failed + " " + hours);
  }
}
