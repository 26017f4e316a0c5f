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
import java.util.LinkedHashMap;
import java.util.Map;

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

  /** Whether a target takes one output as it comes: standard output, a device or a pipe. */
  static boolean isStream(String target) {
    Path file = Path.of(target);
    return target.equals(STANDARD)
        || (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file));
  }

  /**
   * Writes to a file, replacing what is there, or to standard output.
   *
   * @param target a file name or {@link #STANDARD}
   * @throws CommandFailure naming the file and the reason; whatever was there is still there
   */
  static void write(String target, Terminal terminal, Content content) throws CommandFailure {
    write(Map.of(target, content), terminal);
  }

  /**
   * Writes several files, replacing what is there; none before all are written beside their places.
   * Only if one cannot be moved then, are those before it in place.
   *
   * @param targets by file name or {@link #STANDARD}
   * @throws CommandFailure naming the file and the reason; whatever was there is still there
   */
  static void write(Map<String, Content> targets, Terminal terminal) throws CommandFailure {
    Map<Path, Path> written = new LinkedHashMap<>();
    String target = "";
    try {
      for (Map.Entry<String, Content> each : targets.entrySet()) {
        target = each.getKey();
        write(target, each.getValue(), terminal, written);
      }
      for (Map.Entry<Path, Path> each : written.entrySet()) {
        target = each.getValue().toString();
        move(each.getKey(), each.getValue());
      }
    } catch (IOException e) {
      throw new CommandFailure("cannot write " + target + ": " + reason(target, e), e);
    } finally {
      for (Path temporary : written.keySet()) {
        delete(temporary);
      }
    }
  }

  private static void write(
      String target, Content content, Terminal terminal, Map<Path, Path> written)
      throws IOException {
    if (target.equals(STANDARD)) {
      writeStandard(terminal.bytes(), content);
      return;
    }
    Path file = Path.of(target);
    if (Files.isDirectory(file)) {
      throw new FileSystemException(target, null, "it is a directory; name a file in it");
    }
    if (isStream(target)) {
      writeInPlace(file, content);
      return;
    }
    Path whole = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path temporary =
        whole.resolveSibling(
            "." + whole.getFileName() + "." + Long.toHexString(System.nanoTime()) + ".tmp");
    written.put(temporary, whole);
    writeInPlace(temporary, content);
  }

  private static void delete(Path temporary) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      // What is worth saying has been said.
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
