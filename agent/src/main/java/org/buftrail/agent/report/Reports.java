package org.buftrail.agent.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.buftrail.flow.Snapshot;
import org.jspecify.annotations.Nullable;

/** Writes snapshots to files, which appear whole or not at all. */
public final class Reports {
  private Reports() {}

  /**
   * Writes a snapshot in the format that the file's name asks for, replacing what is there.
   *
   * @throws IOException with one line saying which file, what is wrong and what would be right;
   *     whatever was at {@code file} is then still there
   */
  public static void write(Snapshot snapshot, Path file) throws IOException {
    Path name = file.getFileName();
    ReportFormat format =
        ReportFormat.ofFile(name == null ? "" : name.toString())
            .orElseThrow(
                () ->
                    new IOException(
                        "cannot write "
                            + file
                            + ": the name must end in one of "
                            + ReportFormat.extensions()));
    write(snapshot, format, file);
  }

  /**
   * Writes a snapshot in a given format, replacing what is there.
   *
   * @throws IOException as {@link #write(Snapshot, Path)}
   */
  public static void write(Snapshot snapshot, ReportFormat format, Path file) throws IOException {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        writeInPlace(snapshot, format, file);
      } else {
        writeBeside(snapshot, format, file);
      }
    } catch (IOException e) {
      throw new IOException("cannot write " + file + ": " + reason(file, e), e);
    }
  }

  /** A device or pipe cannot be replaced by a file. */
  private static void writeInPlace(Snapshot snapshot, ReportFormat format, Path file)
      throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "it is a directory; name a file in it");
    }
    try (OutputStream out = Files.newOutputStream(file)) {
      format.write(snapshot, out);
    }
  }

  private static void writeBeside(Snapshot snapshot, ReportFormat format, Path file)
      throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path directory = target.getParent();
    Path name = target.getFileName();
    if (directory == null || name == null) {
      throw new FileSystemException(file.toString(), null, "it is a directory; name a file in it");
    }
    Path temporary =
        directory.resolve("." + name + "." + Long.toHexString(System.nanoTime()) + ".tmp");
    try {
      try (OutputStream out = Files.newOutputStream(temporary)) {
        format.write(snapshot, out);
      }
      move(temporary, target);
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

  private static String reason(Path file, IOException e) {
    Path directory = file.toAbsolutePath().getParent();
    if (e instanceof NoSuchFileException && directory != null) {
      return "there is no directory " + directory;
    }
    if (e instanceof AccessDeniedException) {
      return "no permission to write in " + directory;
    }
    String reason = e instanceof FileSystemException ? ((FileSystemException) e).getReason() : null;
    return firstLine(reason != null ? reason : e.getMessage(), e);
  }

  private static String firstLine(@Nullable String text, IOException e) {
    return text == null
        ? e.getClass().getSimpleName()
        : text.lines().findFirst().orElse(e.getClass().getSimpleName());
  }
}
