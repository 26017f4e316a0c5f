package org.buftrail.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Where a command's result goes: a file, which appears whole or not at all, or standard output. */
final class Output {
  /** The name that stands for standard output. */
  static final String STANDARD = "-";

  private static final int BUFFER_BYTES = 1 << 16;

  private Output() {}

  /** What is to be written. */
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes to a file, replacing what is there, or to standard output.
   *
   * @param target a file name or {@link #STANDARD}
   * @throws CommandFailure naming the file and the reason; whatever was there is still there
   */
  static void write(String target, Terminal terminal, Content content) throws CommandFailure {
    try {
      if (target.equals(STANDARD)) {
        writeStandard(terminal.bytes(), content);
        return;
      }
      Path file = Path.of(target);
      if (Files.isDirectory(file)) {
        throw new FileSystemException(target, null, "it is a directory; name a file in it");
      }
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        writeInPlace(file, content);
      } else {
        writeWhole(Files.exists(file) ? file.toRealPath() : file.toAbsolutePath(), content);
      }
    } catch (IOException e) {
      throw new CommandFailure("cannot write " + target + ": " + reason(target, e), e);
    }
  }

  private static void writeStandard(PrintStream out, Content content) throws IOException {
    content.writeTo(out);
    if (out.checkError()) {
      throw new IOException("standard output was closed, or its device is full");
    }
  }

  /** A device or pipe cannot be replaced by a file. */
  private static void writeInPlace(Path file, Content content) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)) {
      content.writeTo(out);
    }
  }

  private static void writeWhole(Path file, Content content) throws IOException {
    Path temporary =
        file.resolveSibling(
            "." + file.getFileName() + "." + Long.toHexString(System.nanoTime()) + ".tmp");
    try {
      writeInPlace(temporary, content);
      move(temporary, file);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static String reason(String target, IOException e) {
    Path directory = Path.of(target).toAbsolutePath().getParent();
    if (e instanceof NoSuchFileException) {
      return "there is no directory " + directory;
    }
    if (e instanceof AccessDeniedException) {
      return "no permission to write in " + directory;
    }
    String reason = e instanceof FileSystemException failure ? failure.getReason() : null;
    return reason != null ? reason : String.valueOf(e.getMessage());
  }
}
