package org.buftrail.report;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that appears whole or not at all: it is written beside its place and moved there.
 *
 * <p>A new file is for its owner alone; one that replaces another keeps the other's mode. Links are
 * followed, but for those that {@link Links} refuses. A device or a pipe cannot be replaced and is
 * written in place. An interrupt does not disturb the writing. Used by one thread.
 */
public final class OutputFile implements Closeable {
  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rw-------");

  private final Path place;
  private final boolean stream;
  private @Nullable Path temporary;

  private OutputFile(Path place, boolean stream) {
    this.place = place;
    this.stream = stream;
  }

  /**
   * Finds out where a file belongs; nothing is written yet.
   *
   * @throws IOException when that is a directory, or behind a link that is not to be followed
   */
  public static OutputFile at(Path file) throws IOException {
    Path place = Links.resolve(file);
    if (Files.isDirectory(file) || place.getFileName() == null) {
      throw new FileSystemException(file.toString(), null, "it is a directory; name a file in it");
    }
    if (isStream(file)) {
      Links.checkOwner(file.toAbsolutePath());
      return new OutputFile(file, true);
    }
    return new OutputFile(place, false);
  }

  /** Whether a name is that of a device or a pipe, which takes one output as it comes. */
  public static boolean isStream(Path file) {
    return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
  }

  /** Makes a directory, and those above it, for their owner alone. Existing ones stay as is. */
  public static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(
        directory, mode(directory, PosixFilePermissions.fromString("rwx------")));
  }

  /**
   * Checks whose a directory is that files are written to unasked.
   *
   * @throws IOException when it is neither this user's nor root's
   */
  public static void checkOwner(Path directory) throws IOException {
    Links.checkDirectory(directory);
  }

  /** Opens it for writing, unbuffered; once. */
  public OutputStream open() throws IOException {
    if (stream) {
      return Files.newOutputStream(place);
    }
    Path beside =
        place.resolveSibling(
            "." + place.getFileName() + "." + Long.toHexString(System.nanoTime()) + ".tmp");
    Files.createFile(beside, mode(beside, OWNER_ALONE));
    temporary = beside;
    // Unlike a channel, it is not closed by an interrupt.
    return place.getFileSystem().equals(FileSystems.getDefault())
        ? new FileOutputStream(beside.toFile())
        : Files.newOutputStream(beside);
  }

  /** Puts it into its place, once all is written and closed. */
  public void commit() throws IOException {
    Path written = temporary;
    if (written == null) {
      return;
    }
    if (Files.exists(place)) {
      keepMode(written);
    }
    try {
      Files.move(written, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException | FileAlreadyExistsException e) {
      Files.move(written, place, StandardCopyOption.REPLACE_EXISTING);
    }
    temporary = null;
  }

  private void keepMode(Path written) {
    try {
      Set<PosixFilePermission> mode = Files.getPosixFilePermissions(place);
      if (!mode.equals(OWNER_ALONE)) {
        Files.setPosixFilePermissions(written, mode);
      }
    } catch (IOException | UnsupportedOperationException e) {
      // A file system without modes, or one that keeps them to itself.
    }
  }

  /** Takes away what was not committed. */
  @Override
  public void close() throws IOException {
    Path left = temporary;
    if (left != null) {
      temporary = null;
      Files.deleteIfExists(left);
    }
  }

  private static FileAttribute<?>[] mode(Path path, Set<PosixFilePermission> mode) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
        : new FileAttribute<?>[0];
  }

  /** Why a file cannot be written, in one line. */
  public static String reason(Path file, IOException e) {
    Path directory = file.toAbsolutePath().getParent();
    if (e instanceof NoSuchFileException && directory != null) {
      return "there is no directory " + directory;
    }
    if (e instanceof AccessDeniedException) {
      return "no permission to write in " + directory;
    }
    String reason = e instanceof FileSystemException ? ((FileSystemException) e).getReason() : null;
    String text = reason != null ? reason : e.getMessage();
    return text == null || text.isEmpty()
        ? e.getClass().getSimpleName()
        : text.lines().findFirst().orElse(text);
  }

  /**
   * Looks whether a file could be written now.
   *
   * @return why not, in one line, or null when nothing speaks against it
   */
  public static @Nullable String problem(Path file) {
    try {
      OutputFile output = at(file);
      Path directory = output.place.toAbsolutePath().getParent();
      if (output.stream) {
        return Files.isWritable(file) ? null : "no permission to write it";
      }
      if (directory == null || !Files.isDirectory(directory)) {
        return "there is no directory " + directory;
      }
      return Files.isWritable(directory) ? null : "no permission to write in " + directory;
    } catch (IOException e) {
      return reason(file, e);
    }
  }
}
