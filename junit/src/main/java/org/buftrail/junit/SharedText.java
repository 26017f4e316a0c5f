package org.buftrail.junit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/** A file of text that several JVMs change, each while it holds a lock of it. */
final class SharedText {
  private SharedText() {}

  static String read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
    int read = 0;
    while (bytes.hasRemaining() && read >= 0) {
      read = channel.read(bytes, bytes.position());
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  /** Puts a text in place of what is there. */
  static void write(FileChannel channel, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes, bytes.position());
    }
    channel.truncate(bytes.position());
  }
}
