package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads Netty's buffers and uses none, prints one word, and leaves a file that says that it ran.
 */
public final class Silent {
  private Silent() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException {
    System.out.print(ByteBuf.class.isInterface() ? "" : "done");
    Files.write(Path.of("ran.txt"), "yes".getBytes(StandardCharsets.US_ASCII));
  }
}
