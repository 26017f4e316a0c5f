package org.buftrail.sql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.cli.engine.Dataset;
import org.buftrail.cli.output.CommandFailure;
import org.buftrail.jfr.rows.SampleColumn;

/**
 * A directory with the tables as Parquet.
 *
 * <pre>
 * dataset.json                                          the version
 * samples/day=2026-11-20/service=shop/kind=cpu/ID-0.parquet
 * events/day=2026-11-20/service=shop/ID-0.parquet      events that become no sample
 * frames/ID.parquet                                     the stacks of one recording
 * recordings/ID.json                                    written last: the recording is in it
 * </pre>
 *
 * <p>A recording's id is the hash of its bytes. All files that come of it are named by it and are
 * made beside their places. So whoever adds it again, or was killed while adding it, replaces files
 * by the same, and nothing is in it twice.
 */
final class ParquetDataset implements Dataset {
  static final String SAMPLES = "samples";
  static final String EVENTS = "events";
  static final String FRAMES = "frames";
  private static final String RECORDINGS = "recordings";
  private static final String VERSION = "dataset.json";

  private final Path directory;
  private final Database database;

  private ParquetDataset(Path directory) throws SQLException, IOException {
    this.directory = directory;
    database = new Database(List.of());
  }

  /** Whether a directory is a dataset. */
  static boolean isOne(Path directory) {
    return Files.isRegularFile(directory.resolve(VERSION))
        && Files.isDirectory(directory.resolve(RECORDINGS));
  }

  /** Whether there is a file of a table. */
  static boolean holds(Path directory, String table) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve(table))) {
      return files.anyMatch(file -> file.toString().endsWith(".parquet"));
    }
  }

  /** Opens a dataset; makes one of an empty directory, or one that is not there. */
  static ParquetDataset open(Path directory) throws IOException, CommandFailure {
    if (!isOne(directory)) {
      if (Files.isDirectory(directory) && !isEmpty(directory)) {
        throw new CommandFailure(
            directory + " is no dataset and is not empty; name a new directory");
      }
      for (String part : List.of(SAMPLES, EVENTS, FRAMES, RECORDINGS)) {
        Files.createDirectories(directory.resolve(part));
      }
      replace(directory.resolve(VERSION), "{\"version\": " + SampleColumn.VERSION + "}\n");
    }
    try {
      return new ParquetDataset(directory);
    } catch (SQLException e) {
      throw new CommandFailure(Database.firstLine(e), e);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }

  @Override
  public Added add(Path recording) throws IOException, CommandFailure {
    String id = id(recording);
    Path mark = directory.resolve(RECORDINGS).resolve(id + ".json");
    if (Files.exists(mark)) {
      return new Added(false, List.of());
    }
    Path part = Files.createTempDirectory(directory, ".part-");
    try {
      List<String> damages = database.load(List.of(recording), Needs.ALL);
      long rows =
          database.number("SELECT (SELECT count(*) FROM samples) + (SELECT count(*) FROM events)");
      if (rows == 0 && !damages.isEmpty()) {
        throw new IOException(damages.get(0));
      }
      write(id, part);
      publish(id, part);
      replace(mark, "{\"rows\": " + rows + ", \"damages\": " + damages.size() + "}\n");
      return new Added(true, damages);
    } catch (SQLException e) {
      throw new CommandFailure("cannot write " + directory + ": " + Database.firstLine(e), e);
    } finally {
      delete(part);
    }
  }

  private void write(String id, Path part) throws SQLException {
    writeParts(SAMPLES, "day, service, kind", id, part);
    writeParts(EVENTS, "day, service", id, part);
    database.execute(
        "COPY (FROM frames ORDER BY stack_id, depth) TO "
            + Database.quoted(part.resolve(FRAMES + ".parquet").toString())
            + " (FORMAT parquet, COMPRESSION zstd)");
  }

  private void writeParts(String table, String by, String id, Path part) throws SQLException {
    database.execute(
        "COPY (SELECT * REPLACE (coalesce(service, 'unknown') AS service),"
            + " strftime(time, '%Y-%m-%d') AS day FROM "
            + table
            + " ORDER BY time) TO "
            + Database.quoted(part.resolve(table).toString())
            + " (FORMAT parquet, COMPRESSION zstd, PARTITION_BY ("
            + by
            + "), FILENAME_PATTERN '"
            + id
            + "-{i}')");
  }

  private void publish(String id, Path part) throws IOException {
    move(part.resolve(FRAMES + ".parquet"), directory.resolve(FRAMES).resolve(id + ".parquet"));
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
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void replace(Path file, String text) throws IOException {
    Path part = Files.createTempFile(file.getParent(), ".part", "");
    Files.writeString(part, text);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String id(Path recording) throws IOException {
    try (InputStream in = Files.newInputStream(recording)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        digest.update(buffer, 0, count);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IOException("this JVM has no SHA-256", e);
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
