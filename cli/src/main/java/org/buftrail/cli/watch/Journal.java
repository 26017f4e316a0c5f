package org.buftrail.cli.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * Which recordings have been taken, over a restart too: a line for each, with its length, its time
 * and its whole name. A line is on the disk before the next recording is begun. What is no longer
 * in the directory is left out at the next start, so it grows with the directory. A lock on a file
 * beside it keeps others away, who would write it anew.
 */
final class Journal implements AutoCloseable {
  private final Set<String> done = new HashSet<>();
  private final FileChannel lock;
  private final FileChannel out;

  Journal(Path file) throws IOException {
    lock =
        FileChannel.open(
            file.resolveSibling(file.getFileName() + ".lock"),
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE);
    try {
      if (!isLocked()) {
        throw new IOException(file + ": another watch keeps this journal; name one with --journal");
      }
      if (Files.exists(file)) {
        read(file);
      }
      Path part = file.resolveSibling(file.getFileName() + ".part");
      Files.write(part, done);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      out = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      lock.close();
      throw e;
    }
  }

  private boolean isLocked() throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** Reads whatever can be read: a crash may have left bytes of any kind. */
  private void read(Path file) throws IOException {
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    text.lines().filter(Journal::isAsItWas).forEach(done::add);
  }

  private static boolean isAsItWas(String line) {
    String[] parts = line.split("\t", 3);
    try {
      return parts.length == 3 && line.equals(key(Path.of(parts[2])));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** What stands for a file as it is now, by whatever name it is reached; empty if it is gone. */
  static String key(Path file) {
    Path whole = file.toAbsolutePath().normalize();
    try {
      return Files.size(file) + "\t" + Files.getLastModifiedTime(file).toMillis() + "\t" + whole;
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
    try (lock) {
      out.close();
    }
  }
}
