package org.buftrail.agent.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.buftrail.model.Snapshot;
import org.buftrail.report.OutputFile;
import org.buftrail.report.Reports;
import org.jspecify.annotations.Nullable;

/**
 * A directory of snapshot files, {@code flows-TIME-pPID-REASON.json}, of which the oldest go when
 * they are too many or too big together.
 *
 * <p>A disk that is full, or a directory that cannot be written, costs the snapshot and a line; the
 * next is tried again. Several JVMs may share a directory and its bounds. Thread-safe.
 */
public final class SnapshotFiles {
  private static final Pattern NAME = Pattern.compile("flows-[0-9TZ.]+-p\\d+-[\\w-]+\\.json");
  private static final Pattern LEFT_OVER =
      Pattern.compile("\\.flows-[0-9TZ.]+-p\\d+-[\\w-]+\\.json\\.[0-9a-f]+\\.tmp");
  private static final long LEFT_OVER_MILLIS = 3_600_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final Path directory;
  private final int maxFiles;
  private final long maxBytes;
  private final Consumer<String> log;
  private long failures;

  /** Whether old files could be deleted the last time. */
  private boolean pruned = true;

  /**
   * @param directory made when the first snapshot is written
   * @param maxFiles at least 1
   * @param maxBytes bound of all files together, of which the newest always stays
   * @param log takes a line for each file written, and for the first that could not be
   */
  public SnapshotFiles(Path directory, int maxFiles, long maxBytes, Consumer<String> log) {
    this.directory = directory;
    this.maxFiles = maxFiles;
    this.maxBytes = maxBytes;
    this.log = log;
  }

  /** Says, in one line, why no snapshot could be written now; nothing when all is well. */
  public void check(Consumer<String> problems) {
    Path existing = directory;
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (existing != null && !Files.isDirectory(existing)) {
      problems.accept("no snapshots can be written: " + existing + " is no directory");
    } else if (existing != null && !Files.isWritable(existing)) {
      problems.accept("no snapshots can be written: no permission to write in " + existing);
    } else if (directory.equals(existing)) {
      try {
        OutputFile.checkOwner(directory);
      } catch (IOException e) {
        problems.accept("no snapshots can be written: " + e.getMessage());
      }
    }
  }

  /**
   * Writes a snapshot.
   *
   * @param reason of letters, digits and {@code -}
   * @return the file, or null when it could not be written
   */
  public synchronized @Nullable Path write(Snapshot snapshot, String reason) {
    String time = TIME.format(Instant.ofEpochMilli(snapshot.takenAtMillis()));
    String name = "flows-" + time + "-p" + ProcessHandle.current().pid() + "-" + reason + ".json";
    Path file = directory.resolve(name);
    try {
      OutputFile.createDirectories(directory);
      OutputFile.checkOwner(directory);
      Reports.write(snapshot, file);
    } catch (IOException | RuntimeException e) {
      if (failures++ == 0) {
        log.accept("no snapshot (" + reason + "): " + e.getMessage());
      }
      return null;
    }
    prune(file);
    if (failures > 0) {
      log.accept("snapshots are written again; " + failures + " could not be");
      failures = 0;
    }
    log.accept("snapshot (" + reason + ") written to " + file);
    return file;
  }

  /** What fails here does not undo the snapshot: others may own the directory's other files. */
  private void prune(Path newest) {
    try {
      deleteOldest(newest);
      pruned = true;
    } catch (IOException | RuntimeException e) {
      if (pruned) {
        log.accept("old snapshots stay in " + directory + ": " + e);
      }
      pruned = false;
    }
  }

  private void deleteOldest(Path newest) throws IOException {
    Deque<Path> oldestFirst = new ArrayDeque<>();
    long bytes = 0;
    for (Path file : list()) {
      if (NAME.matcher(String.valueOf(file.getFileName())).matches()) {
        oldestFirst.add(file);
        bytes += size(file);
      }
    }
    while (oldestFirst.size() > maxFiles || bytes > maxBytes) {
      Path oldest = oldestFirst.poll();
      if (oldest == null || oldest.equals(newest)) {
        return;
      }
      bytes -= size(oldest);
      Files.deleteIfExists(oldest);
    }
  }

  /** In order of names, which begin with the time; what a killed JVM left half written is gone. */
  private List<Path> list() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> entries = Files.list(directory)) {
      entries.forEach(files::add);
    }
    for (Path file : files) {
      if (LEFT_OVER.matcher(String.valueOf(file.getFileName())).matches() && isOld(file)) {
        Files.deleteIfExists(file);
      }
    }
    Collections.sort(files);
    return files;
  }

  /** Not one that another JVM has just finished, so that it has its name now. */
  private static boolean isOld(Path file) {
    try {
      long written = Files.getLastModifiedTime(file).toMillis();
      return System.currentTimeMillis() - written > LEFT_OVER_MILLIS;
    } catch (IOException e) {
      return false;
    }
  }

  /** 0 for a file that another JVM has just taken away. */
  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }
}
