package org.buftrail.sql;

import static org.buftrail.jfr.dataset.DatasetLayout.PART;
import static org.buftrail.jfr.dataset.DatasetLayout.RECORDINGS;
import static org.buftrail.jfr.dataset.DatasetLayout.ROWS;
import static org.buftrail.jfr.dataset.DatasetLayout.VERSION_FILE;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.buftrail.console.engine.Dataset;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.RowSelection;
import org.buftrail.jfr.dataset.Content;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.buftrail.jfr.dataset.DatasetRows;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleColumn;
import org.jspecify.annotations.Nullable;

/**
 * A directory with the tables as Parquet, of {@link DatasetLayout}.
 *
 * <p>All files that come of a recording are named by its id and are made beside their places. So a
 * process that adds it again, or was killed while adding it, replaces files by the same ones, and
 * nothing is in it twice. {@link Compactor} makes few files of many. Queries read all files, marked
 * or not: while files are moved to their places, or after a kill just then, a query sees a part of
 * the recording, until it has been added.
 */
final class ParquetDataset implements Dataset {
  /** What is under way for longer was left by a process that was killed. */
  private static final Duration LONGEST = Duration.ofDays(1);

  private static final RowSelection EVERYTHING =
      new RowSelection(SampleColumn.ALL, null, Long.MIN_VALUE, Long.MAX_VALUE, null);

  private final Path directory;
  private final boolean messages;
  private final RowSource source = new RowSource(EVERYTHING, this::take);
  private final KnownRecordings known;
  private @Nullable DatasetRows rows;

  private ParquetDataset(Path directory, boolean messages) {
    this.directory = directory;
    this.messages = messages;
    known = new KnownRecordings(directory);
  }

  static boolean isOne(Path directory) {
    return Files.isRegularFile(directory.resolve(VERSION_FILE));
  }

  /** The version of a dataset; ends the command if this code does not read it. */
  static int version(Path dataset) throws IOException, CommandFailure {
    String text = Files.readString(dataset.resolve(VERSION_FILE));
    try {
      return DatasetLayout.version(text);
    } catch (IOException e) {
      throw new CommandFailure(dataset + " " + e.getMessage(), e);
    }
  }

  /** Whether a dataset is of the first version. */
  static boolean isFirst(Path dataset) throws IOException {
    return DatasetLayout.version(Files.readString(dataset.resolve(VERSION_FILE)))
        == DatasetLayout.FIRST;
  }

  private static void checkWritten(Path dataset) throws IOException, CommandFailure {
    String text = Files.readString(dataset.resolve(VERSION_FILE));
    try {
      DatasetLayout.checkWritten(text);
    } catch (IOException e) {
      throw new CommandFailure(dataset + " " + e.getMessage(), e);
    }
  }

  /** Whether there is a Parquet file below a directory of a dataset. */
  static boolean holds(Path directory, String below) throws IOException {
    Path top = directory.resolve(below);
    if (!Files.isDirectory(top)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(top)) {
      return files.anyMatch(file -> file.toString().endsWith(".parquet"));
    }
  }

  /**
   * Opens a dataset; makes one of an empty directory, or one that is not there.
   *
   * @param messages whether what is added keeps the messages of exceptions
   */
  static ParquetDataset open(Path directory, boolean messages) throws IOException, CommandFailure {
    if (!isOne(directory)) {
      make(directory);
    }
    checkWritten(directory);
    deleteLeftParts(directory);
    Files.createDirectories(directory.resolve(ROWS));
    Files.createDirectories(directory.resolve(RECORDINGS));
    return new ParquetDataset(directory, messages);
  }

  private static void make(Path directory) throws IOException, CommandFailure {
    // Another process may make it just now, the version first.
    if (Files.isDirectory(directory) && !isEmpty(directory) && !isOne(directory)) {
      throw new CommandFailure(directory + " is no dataset and is not empty; name a new directory");
    }
    Files.createDirectories(directory);
    // First, so that whatever is left by a kill is known for a dataset.
    Path part = directory.resolve(PART + UUID.randomUUID());
    Files.writeString(part, DatasetLayout.VERSION_TEXT);
    Files.move(part, directory.resolve(VERSION_FILE), StandardCopyOption.ATOMIC_MOVE);
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.allMatch(ParquetDataset::isPart);
    }
  }

  /** Hadoop's checksum of a file begins with a dot more. */
  private static boolean isPart(Path entry) {
    String name = String.valueOf(entry.getFileName());
    return name.startsWith(PART) || name.startsWith("." + PART);
  }

  /** When something changed; now, if it is gone. */
  private static Instant changed(Path file) throws IOException {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (NoSuchFileException e) {
      return Instant.now();
    }
  }

  private static void deleteLeftParts(Path directory) throws IOException {
    List<Path> parts;
    try (Stream<Path> entries = Files.list(directory)) {
      parts = entries.filter(ParquetDataset::isPart).toList();
    }
    Instant latest = Instant.now().minus(LONGEST);
    for (Path part : parts) {
      if (changed(part).isBefore(latest)) {
        delete(part);
      }
    }
  }

  @Override
  public Added add(Path recording, Content content) throws IOException {
    String id = content.id();
    Path mark = directory.resolve(DatasetLayout.mark(id));
    if (known.contains(id)) {
      return new Added(false, List.of());
    }
    Path part = Files.createTempDirectory(directory, PART);
    try (DatasetRows made = new DatasetRows(name -> create(part.resolve(name)), id, messages)) {
      rows = made;
      List<String> damages = source.read(recording).damages();
      made.finish();
      // Also reads it to its end once more, so that what the disk does not give is no damage.
      if (!content.isStillOf(recording)) {
        throw new IOException(recording + ": has changed while it was read");
      }
      if (made.rows() == 0 && !damages.isEmpty()) {
        throw new RecordingException(recording, reason(damages.get(0), recording));
      }
      Path marked = part.resolve("mark.json");
      Files.writeString(marked, DatasetLayout.markText(made.rows(), damages.size()));
      try (DatasetLock lock = Compactor.share(directory)) {
        if (lock == null) {
          throw new IOException("cannot write " + directory + ": it cannot be locked");
        }
        if (known.contains(id)) {
          // Another was faster.
          return new Added(false, List.of());
        }
        for (String name : made.names()) {
          move(part.resolve(name), directory.resolve(name));
        }
        move(marked, mark);
      }
      return new Added(true, damages);
    } catch (UncheckedIOException e) {
      throw new IOException("cannot write " + directory + ": " + e.getMessage(), e);
    } finally {
      rows = null;
      delete(part);
    }
  }

  private void take(SampleBatch batch) {
    Objects.requireNonNull(rows).take(batch);
  }

  private static OutputStream create(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    return new BufferedOutputStream(Files.newOutputStream(file));
  }

  /** What is wrong, without the name that an exception puts before it. */
  private static String reason(String damage, Path recording) {
    String name = recording + ": ";
    return damage.startsWith(name) ? damage.substring(name.length()) : damage;
  }

  static void move(Path from, Path to) throws IOException {
    Path parent = to.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    if (from.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(from, PosixFilePermissions.fromString("rw-------"));
    }
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  static void delete(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Override
  public void close() {
    // Nothing is open between two recordings.
  }
}
