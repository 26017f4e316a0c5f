package org.buftrail.sql;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.jfr.dataset.DatasetLayout;

/**
 * Which recordings are in a dataset: those with a mark, and those in sorted lists of ids, a line of
 * equal length each, which compaction makes of marks.
 */
final class KnownRecordings {
  static final String LIST = ".ids";

  private static final int ID = 32;
  private static final int LINE = ID + 1;

  private final Path dataset;

  KnownRecordings(Path dataset) {
    this.dataset = dataset;
  }

  boolean contains(String id) throws IOException {
    if (Files.exists(dataset.resolve(DatasetLayout.mark(id)))) {
      return true;
    }
    List<Path> lists;
    try (Stream<Path> all = Files.list(dataset.resolve(DatasetLayout.RECORDINGS))) {
      lists = all.filter(file -> file.toString().endsWith(LIST)).toList();
    }
    for (Path list : lists) {
      if (isIn(list, id)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isIn(Path list, String id) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(list.toFile(), "r")) {
      byte[] line = new byte[ID];
      long low = 0;
      long high = file.length() / LINE - 1;
      while (low <= high) {
        long middle = (low + high) >>> 1;
        file.seek(middle * LINE);
        file.readFully(line);
        int order = new String(line, StandardCharsets.US_ASCII).compareTo(id);
        if (order == 0) {
          return true;
        }
        if (order < 0) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return false;
    }
  }

  /** Writes a list. */
  static void write(Path list, Collection<String> ids) throws IOException {
    Files.write(list, ids.stream().sorted().distinct().toList(), StandardCharsets.US_ASCII);
  }

  /** The ids in a list. */
  static List<String> read(Path list) throws IOException {
    return Files.readAllLines(list, StandardCharsets.US_ASCII);
  }
}
