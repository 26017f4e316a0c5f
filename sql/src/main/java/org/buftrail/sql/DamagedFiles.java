package org.buftrail.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.buftrail.jfr.dataset.DatasetJoin;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.buftrail.jfr.parquet.DamagedParquetException;

/** Names the files of a dataset that cannot be read, each with why, and what to do. */
final class DamagedFiles {
  private static final Pattern OF_RECORDING = Pattern.compile("[0-9a-f]{32}(-\\d+)?\\.parquet");
  private static final Pattern COMPACTED =
      Pattern.compile(Compactor.COMPACTED + "[0-9a-f-]{36}\\.parquet");

  /** So many are looked for; the rest is found once these are mended. */
  private static final int MOST = 20;

  private DamagedFiles() {}

  /** Whether a file has the name of one that a dataset is made of. */
  static boolean isOne(Path file) {
    String name = name(file);
    return OF_RECORDING.matcher(name).matches() || COMPACTED.matcher(name).matches();
  }

  /**
   * A line for each that cannot be read; none if all can.
   *
   * @param alsoPages whether to read all pages if no footer is at fault
   */
  static List<String> of(List<Path> datasets, boolean alsoPages) throws IOException {
    List<String> lines = look(datasets, false);
    return lines.isEmpty() && alsoPages ? look(datasets, true) : lines;
  }

  private static List<String> look(List<Path> datasets, boolean withPages) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path dataset : datasets) {
      if (!ParquetDataset.isFirst(dataset)) {
        for (Path file : files(dataset.resolve(DatasetLayout.ROWS), lines)) {
          try {
            DatasetJoin.check(file, withPages);
          } catch (DamagedParquetException e) {
            lines.add(line(dataset, file, e.reason()));
          } catch (NoSuchFileException e) {
            // It was replaced just now.
            continue;
          } catch (IOException e) {
            lines.add(file + " cannot be read: " + e);
          }
          if (lines.size() == MOST) {
            return lines;
          }
        }
      }
    }
    return lines;
  }

  private static List<Path> files(Path rows, List<String> lines) {
    if (!Files.isDirectory(rows)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(rows)) {
      return all.filter(file -> file.toString().endsWith(".parquet")).sorted().toList();
    } catch (IOException | UncheckedIOException e) {
      lines.add(rows + " cannot be read: " + e.getMessage());
      return List.of();
    }
  }

  /** What is wrong with a file, and what to do. */
  static String line(Path dataset, Path file, String why) {
    return file + " cannot be read: " + why + "; " + advice(dataset, file);
  }

  private static String advice(Path dataset, Path file) {
    if (!isOne(file)) {
      return "it is none of the dataset's, so move it away";
    }
    Path mark = dataset.resolve(DatasetLayout.mark(name(file).split("[-.]", 2)[0]));
    return Files.exists(mark)
        ? "delete it and " + mark + ", and add its recording again"
        : "put a copy in its place, or delete it, which loses its rows";
  }

  private static String name(Path file) {
    return Objects.requireNonNull(file.getFileName()).toString();
  }
}
