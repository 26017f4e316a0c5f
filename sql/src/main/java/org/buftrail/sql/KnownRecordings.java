package org.buftrail.sql;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.jspecify.annotations.Nullable;

/**
 * Which recordings are in a dataset: those with a mark, and those in sorted lists of ids, a line of
 * equal length each, which compaction makes of marks, and of many short lists. Belongs to one
 * thread.
 *
 * <p>Lists lie among the marks, which may be a hundred thousand. So they are looked for when the
 * directory has changed in which compaction makes them.
 */
final class KnownRecordings {
  static final String LIST = ".ids";

  private static final int ID = 32;
  private static final int LINE = ID + 1;

  /** So many lists are made one. */
  private static final int MANY = 8;

  /** So many ids, which are in memory then. */
  private static final long MOST_IDS = 400_000;

  /** A directory may change again within a tick of its clock. */
  private static final long TICK_MILLIS = 2_000;

  private static final FileTime NEVER = FileTime.fromMillis(0);

  private final Path dataset;
  private List<Path> lists = List.of();

  /** When the directory of compactions had changed before lists were looked for; null if unsure. */
  private @Nullable FileTime listed;

  KnownRecordings(Path dataset) {
    this.dataset = dataset;
  }

  boolean contains(String id) throws IOException {
    if (Files.exists(dataset.resolve(DatasetLayout.mark(id)))) {
      return true;
    }
    boolean isWhole = false;
    while (!isWhole) {
      isWhole = true;
      for (Path list : lists()) {
        try {
          if (isIn(list, id)) {
            return true;
          }
        } catch (FileNotFoundException e) {
          if (Files.exists(list)) {
            throw e; // Nobody may read it, or too many files are open.
          }
          // Another list has taken its place.
          isWhole = false;
          listed = null;
        }
      }
    }
    return false;
  }

  private List<Path> lists() throws IOException {
    FileTime changed = changed(dataset.resolve(DatasetLayout.COMPACTIONS));
    if (!changed.equals(listed)) {
      boolean isPast = changed.toMillis() < System.currentTimeMillis() - TICK_MILLIS;
      listed = isPast ? changed : null;
      lists = lists(dataset);
    }
    return lists;
  }

  private static FileTime changed(Path directory) throws IOException {
    try {
      return Files.getLastModifiedTime(directory);
    } catch (NoSuchFileException e) {
      return NEVER;
    }
  }

  private static List<Path> lists(Path dataset) throws IOException {
    try (Stream<Path> all = Files.list(dataset.resolve(DatasetLayout.RECORDINGS))) {
      return all.filter(file -> file.toString().endsWith(LIST)).sorted().toList();
    }
  }

  /** Lists that one may take the place of: none if there are few; short ones if there are many. */
  static List<Path> many(Path dataset) throws IOException {
    List<Path> many = new ArrayList<>();
    long ids = 0;
    for (Path list : lists(dataset)) {
      long length = Files.size(list) / LINE;
      if (length <= MOST_IDS - ids) {
        many.add(list);
        ids += length;
      }
    }
    return many.size() < MANY ? List.of() : many;
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

  static void write(Path list, Collection<String> ids) throws IOException {
    Files.write(list, ids.stream().sorted().distinct().toList(), StandardCharsets.US_ASCII);
  }

  /** The ids in a list. */
  static List<String> read(Path list) throws IOException {
    return Files.readAllLines(list, StandardCharsets.US_ASCII);
  }
}
