package org.buftrail.benchmarks.fleet;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Recordings to measure with: copies of one, and one that is many times another. */
final class SqlInputs {
  private SqlInputs() {}

  static List<Path> copies(Path recording, int count, Path directory) throws IOException {
    Files.createDirectories(directory);
    List<Path> copies = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      Path copy = directory.resolve(String.format("%05d.jfr", i));
      Files.copy(recording, copy, StandardCopyOption.REPLACE_EXISTING);
      copies.add(copy);
    }
    return copies;
  }

  /** A recording of as many chunks as make so many bytes, the same again and again. */
  static Path large(Path recording, long bytes, Path file) throws IOException {
    byte[] chunks = Files.readAllBytes(recording);
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long written = 0; written < bytes; written += chunks.length) {
        out.write(chunks);
      }
    }
    return file;
  }

  static long bytes(List<Path> files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    return bytes;
  }
}
