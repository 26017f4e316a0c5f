package org.buftrail.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
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
import org.buftrail.jfr.parquet.OtherWriterException;

/** Names the files of a dataset that cannot be read, each with why, and what to do. */
final class DamagedFiles {
  /** How errors begin, or what they name, that say nothing of the files. */
  private static final Pattern OF_QUERY =
      Pattern.compile("^(Parser|Catalog|Conversion|Out of Memory) Error|^INTERRUPT|--read-only");

  private static final Pattern OF_RECORDING = Pattern.compile("[0-9a-f]{32}(-\\d+)?\\.parquet");
  private static final Pattern COMPACTED =
      Pattern.compile(Compactor.COMPACTED + "[0-9a-f-]{36}\\.parquet");

  /** So many are looked for; the rest is found once these are mended. */
  private static final int MOST = 20;

  private static final int LONGEST_WRITER = 100;

  private DamagedFiles() {}

  /** Whether a file has the name of one that a dataset is made of. */
  static boolean isOne(Path file) {
    String name = name(file);
    return OF_RECORDING.matcher(name).matches() || COMPACTED.matcher(name).matches();
  }

  /**
   * A line for each that cannot be read; none if no file is why a query failed.
   *
   * @param said what DuckDB says of the query
   */
  static List<String> behind(String said, List<Path> datasets) throws IOException {
    // A query that is wrong is so whatever the files are like.
    if (OF_QUERY.matcher(said).find()) {
      return List.of();
    }
    List<String> lines = look(datasets, false);
    // A name that is unknown may be one of a foreign file, whose footer shows it.
    boolean isOfName = said.startsWith("Binder Error");
    return lines.isEmpty() && !isOfName ? look(datasets, true) : lines;
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
          } catch (OtherWriterException e) {
            String fault = withPages ? OthersFile.fault(file) : null;
            if (fault != null) {
              lines.add(line(dataset, file, fault));
            }
          } catch (ClosedByInterruptException e) {
            throw e;
          } catch (IOException e) {
            lines.add(unreadable(file, e));
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

  /** What is said of a file that the system does not let us read, which is no damage. */
  static String unreadable(Path file, IOException e) {
    String why =
        e instanceof AccessDeniedException
            ? "permission denied"
            : e instanceof NoSuchFileException
                ? "no such file"
                : String.valueOf(e.getMessage()).replace(file + ": ", "");
    return file + " cannot be read: " + why + "; mend that and try again";
  }

  /** What is said of a file that another program wrote, whose name the file itself gives. */
  static String foreign(Path file, OtherWriterException e) {
    String writer = e.writer().lines().findFirst().orElse("").strip();
    String shown = writer.length() > LONGEST_WRITER ? writer.substring(0, LONGEST_WRITER) : writer;
    return file + ": left as it is, since this program wrote it: " + shown;
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
