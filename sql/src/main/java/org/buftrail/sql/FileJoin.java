package org.buftrail.sql;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.jfr.dataset.DatasetJoin;
import org.buftrail.jfr.parquet.DamagedParquetException;
import org.buftrail.jfr.parquet.OtherWriterException;

/**
 * Makes one file of several of a dataset, without those that cannot be read: these are noted, and
 * stay as they are. Belongs to one compaction.
 */
final class FileJoin {
  private final Path dataset;
  private final Compactor.Steps steps;

  /** Files that are damaged, each with why. */
  private final Map<Path, String> damaged = new LinkedHashMap<>();

  private final List<String> unreadable = new ArrayList<>();
  private final List<String> kept = new ArrayList<>();

  FileJoin(Path dataset, Compactor.Steps steps) {
    this.dataset = dataset;
    this.steps = steps;
  }

  /** Notes a file that is none of a dataset. */
  void refuse(Path file, String why) {
    damaged.put(file, why);
  }

  /** A line for each file that cannot be read. What to do depends on the marks that are left. */
  List<String> unread() {
    List<String> lines = new ArrayList<>(unreadable);
    damaged.forEach((file, why) -> lines.add(DamagedFiles.line(dataset, file, why)));
    return lines;
  }

  /** A line for each file that can be read, and that another program wrote. */
  List<String> kept() {
    return kept;
  }

  /**
   * Makes one file of several.
   *
   * @return those that it is made of: all but those that cannot be read. If that is not {@link
   *     Compactor#isWorth worth} it, it is not made
   */
  List<Path> join(List<Path> files, Path to) throws IOException {
    if (!Compactor.isWorth(files)) {
      return files;
    }
    List<Path> sound = readable(files, false);
    if (Compactor.isWorth(sound)) {
      steps.next();
    }
    boolean areRead = false;
    boolean isMade = false;
    while (!isMade && Compactor.isWorth(sound)) {
      isMade = isJoined(sound, to);
      if (!isMade && !areRead) {
        // Of many that are damaged, each would cost a join.
        sound = readable(sound, true);
        areRead = true;
      }
    }
    if (!isMade) {
      Files.deleteIfExists(to);
    }
    return sound;
  }

  /** Those of some files that can be read. */
  private List<Path> readable(List<Path> files, boolean withPages)
      throws ClosedByInterruptException {
    List<Path> sound = new ArrayList<>();
    for (Path file : files) {
      if (isReadable(file, withPages)) {
        sound.add(file);
      }
    }
    return sound;
  }

  /** Whether a file can be read; notes why, if not. */
  private boolean isReadable(Path file, boolean withPages) throws ClosedByInterruptException {
    try {
      DatasetJoin.check(file, withPages);
      return true;
    } catch (DamagedParquetException e) {
      damaged.put(file, e.reason());
    } catch (OtherWriterException e) {
      keep(file, e);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      unreadable.add(DamagedFiles.unreadable(file, e));
    }
    return false;
  }

  /** Notes a file that another program wrote, and whether it can be read. */
  private void keep(Path file, OtherWriterException writer) {
    try {
      String fault = OthersFile.fault(file);
      if (fault == null) {
        kept.add(DamagedFiles.foreign(file, writer));
      } else {
        damaged.put(file, fault);
      }
    } catch (IOException e) {
      unreadable.add(DamagedFiles.unreadable(file, e));
    }
  }

  /** Joins files; if one of them cannot be read, it is noted, and is none of them any more. */
  private boolean isJoined(List<Path> files, Path to) throws IOException {
    Path at = to;
    try (DatasetJoin join = new DatasetJoin(output(to))) {
      for (Path file : files) {
        at = file;
        join.add(file);
      }
      at = to;
      join.finish();
      return true;
    } catch (DamagedParquetException e) {
      if (at.equals(to)) {
        throw e;
      }
      damaged.put(at, e.reason());
    } catch (IOException e) {
      // Either the file cannot be read, which shows again, or the new one not be written.
      if (at.equals(to) || isReadable(at, true)) {
        Files.deleteIfExists(to);
        throw new IOException("cannot compact " + dataset + ": " + e.getMessage(), e);
      }
    }
    // What was made has a part of it.
    files.remove(at);
    return false;
  }

  private static OutputStream output(Path file) throws IOException {
    return new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
  }
}
