package org.buftrail.cli.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * Which recordings have been taken, over a restart too: a line for each, with its length, its time
 * and its name. A line is on the disk before the next recording is begun. What is no longer in the
 * directory is left out at the next start, so it grows with the directory.
 */
final class Journal implements AutoCloseable {
  private final Set<String> done = new HashSet<>();
  private final FileChannel out;

  Journal(Path file) throws IOException {
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String[] parts = line.split("\t", 3);
        // The last may have been cut off by a crash.
        if (parts.length == 3 && line.equals(key(Path.of(parts[2])))) {
          done.add(line);
        }
      }
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.write(part, done);
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    out = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  /** What stands for a file as it is now; empty if it is gone. */
  static String key(Path file) {
    try {
      return Files.size(file) + "\t" + Files.getLastModifiedTime(file).toMillis() + "\t" + file;
    } catch (IOException e) {
      return "";
    }
  }

  synchronized boolean contains(String key) {
    return done.contains(key);
  }

  /** Notes that a file has been taken, or never will be. */
  synchronized void add(String key) throws IOException {
    if (done.add(key)) {
      ByteBuffer line = ByteBuffer.wrap((key + "\n").getBytes(StandardCharsets.UTF_8));
      while (line.hasRemaining()) {
        out.write(line);
      }
      out.force(false);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }
}
