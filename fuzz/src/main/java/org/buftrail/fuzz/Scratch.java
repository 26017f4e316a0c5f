package org.buftrail.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The one file that holds the bytes under test. */
final class Scratch {
  private static final Path FILE = create();

  private Scratch() {}

  private static Path create() {
    try {
      Path file = Files.createTempFile("fuzz", ".jfr");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path of(byte[] bytes) {
    try {
      return Files.write(FILE, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
