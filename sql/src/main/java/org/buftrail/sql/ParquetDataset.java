package org.buftrail.sql;

import static org.buftrail.jfr.dataset.DatasetLayout.EVENTS;
import static org.buftrail.jfr.dataset.DatasetLayout.FRAMES;
import static org.buftrail.jfr.dataset.DatasetLayout.PART;
import static org.buftrail.jfr.dataset.DatasetLayout.RECORDINGS;
import static org.buftrail.jfr.dataset.DatasetLayout.SAMPLES;
import static org.buftrail.jfr.dataset.DatasetLayout.VERSION_FILE;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.buftrail.cli.engine.Dataset;
import org.buftrail.cli.output.CommandFailure;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.dataset.DatasetLayout;

/**
 * A directory with the tables as Parquet, of {@link DatasetLayout}.
 *
 * <p>All files that come of a recording are named by its id and are made beside their places. So
 * whoever adds it again, or was killed while adding it, replaces files by the same, and nothing is
 * in it twice. Queries read all files, marked or not: while files are moved to their places, or
 * after a kill just then, a query sees a part of the recording, until it has been added.
 */
final class ParquetDataset implements Dataset {
  /** What is under way for longer was left by a process that was killed. */
  private static final Duration LONGEST = Duration.ofDays(1);

  private final Path directory;
  private final Database database;

  private ParquetDataset(Path directory, int writers) throws SQLException, IOException {
    this.directory = directory;
    database = new Database(List.of());
    database.share(writers);
  }

  /** Whether a directory is a dataset. */
  static boolean isOne(Path directory) {
    return Files.isRegularFile(directory.resolve(VERSION_FILE));
  }

  /** Ends the command if a dataset is of another version than this code reads and writes. */
  static void check(Path dataset) throws IOException, CommandFailure {
    String refusal = DatasetLayout.refusal(Files.readString(dataset.resolve(VERSION_FILE)));
    if (refusal != null) {
      throw new CommandFailure(dataset + " " + refusal);
    }
  }

  /** Whether there is a file of a table. */
  static boolean holds(Path directory, String table) throws IOException {
    Path below = directory.resolve(table);
    if (!Files.isDirectory(below)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(below)) {
      return files.anyMatch(file -> file.toString().endsWith(".parquet"));
    }
  }

  /**
   * Opens a dataset; makes one of an empty directory, or one that is not there.
   *
   * @param writers how many are open side by side
   */
  static ParquetDataset open(Path directory, int writers) throws IOException, CommandFailure {
    if (isOne(directory)) {
      check(directory);
      deleteLeftParts(directory);
    } else {
      if (Files.isDirectory(directory) && !isEmpty(directory)) {
        throw new CommandFailure(
            directory + " is no dataset and is not empty; name a new directory");
      }
      Files.createDirectories(directory);
      // First, so that whatever is left by a kill is known for a dataset.
      Path part = directory.resolve(PART + UUID.randomUUID());
      Files.writeString(part, DatasetLayout.VERSION_TEXT);
      Files.move(part, directory.resolve(VERSION_FILE), StandardCopyOption.ATOMIC_MOVE);
    }
    for (String table : List.of(SAMPLES, EVENTS, FRAMES, RECORDINGS)) {
      Files.createDirectories(directory.resolve(table));
    }
    try {
      return new ParquetDataset(directory, writers);
    } catch (SQLException e) {
      throw new CommandFailure(Database.firstLine(e), e);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.allMatch(ParquetDataset::isPart);
    }
  }

  private static boolean isPart(Path entry) {
    return String.valueOf(entry.getFileName()).startsWith(PART);
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
  public Added add(Path recording) throws IOException {
    String id = id(recording);
    Path mark = directory.resolve(DatasetLayout.mark(id));
    if (Files.exists(mark)) {
      return new Added(false, List.of());
    }
    Path part = Files.createTempDirectory(directory, PART);
    try {
      List<String> damages = database.load(List.of(recording), Needs.ALL);
      long rows =
          database.number("SELECT (SELECT count(*) FROM samples) + (SELECT count(*) FROM events)");
      // Also reads it to its end once more, so that what the disk does not give is no damage.
      if (!id.equals(id(recording))) {
        throw new IOException(recording + ": has changed while it was read");
      }
      if (rows == 0 && !damages.isEmpty()) {
        throw new RecordingException(recording, reason(damages.get(0), recording));
      }
      write(id, part);
      Path marked = part.resolve("mark.json");
      Files.writeString(marked, DatasetLayout.markText(rows, damages.size()));
      publish(id, part);
      move(marked, mark);
      return new Added(true, damages);
    } catch (SQLException e) {
      throw new IOException("cannot write " + directory + ": " + Database.firstLine(e), e);
    } finally {
      delete(part);
    }
  }

  /** What is wrong, without the name that an exception puts before it. */
  private static String reason(String damage, Path recording) {
    String name = recording + ": ";
    return damage.startsWith(name) ? damage.substring(name.length()) : damage;
  }

  private void write(String id, Path part) throws SQLException {
    writeParts(SAMPLES, DatasetLayout.SAMPLE_PARTS, id, part);
    writeParts(EVENTS, DatasetLayout.EVENT_PARTS, id, part);
    database.execute(
        "COPY (FROM frames ORDER BY stack_id, depth) TO "
            + Database.quoted(part.resolve(FRAMES + ".parquet").toString())
            + " (FORMAT parquet, COMPRESSION zstd)");
  }

  private void writeParts(String table, List<String> by, String id, Path part) throws SQLException {
    database.execute(
        "COPY (SELECT * REPLACE (coalesce(service, "
            + Database.quoted(DatasetLayout.NO_SERVICE)
            + ") AS service), strftime(time, '%Y-%m-%d') AS "
            + DatasetLayout.DAY
            + " FROM "
            + table
            + " ORDER BY time) TO "
            + Database.quoted(part.resolve(table).toString())
            + " (FORMAT parquet, COMPRESSION zstd, PARTITION_BY ("
            + String.join(", ", by)
            + "), FILENAME_PATTERN '"
            + id
            + "-{i}')");
  }

  private void publish(String id, Path part) throws IOException {
    move(part.resolve(FRAMES + ".parquet"), directory.resolve(DatasetLayout.frames(id)));
    publishParts(SAMPLES, part);
    publishParts(EVENTS, part);
  }

  private void publishParts(String table, Path part) throws IOException {
    Path made = part.resolve(table);
    if (!Files.isDirectory(made)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> all = Files.walk(made)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      move(file, directory.resolve(table).resolve(made.relativize(file)));
    }
  }

  private static void move(Path from, Path to) throws IOException {
    Path parent = to.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    if (from.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(from, PosixFilePermissions.fromString("rw-------"));
    }
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String id(Path recording) throws IOException {
    try (InputStream in = Files.newInputStream(recording)) {
      return DatasetLayout.id(in);
    }
  }

  private static void delete(Path directory) throws IOException {
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
  public void close() throws CommandFailure {
    try {
      database.close();
    } catch (SQLException e) {
      throw new CommandFailure(Database.firstLine(e), e);
    }
  }
}
