package org.buftrail.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.jspecify.annotations.Nullable;

/**
 * Makes one file of all that a day and service have, and deletes days that are too old.
 *
 * <p>What replaces files is made beside them, without a lock:
 *
 * <pre>
 * compactions/X.parquet    the rows of all
 * compactions/X.ids        the recordings whose marks it replaces
 * compactions/X.swap       written last: the directory, and the files that go
 * </pre>
 *
 * <p>With X.swap the new file counts. Then, with the lock alone, each is moved to its place and
 * what it replaces is deleted; the note goes last. After a kill the next process that opens the
 * dataset does what is left, which may be done again and again, before it reads. So rows are there
 * once at any moment for all who take the lock.
 */
final class Compactor {
  private static final String SWAP = ".swap";
  private static final String NOTE = ".note";
  private static final String PARQUET = ".parquet";

  /** How the files end that a compaction makes before it counts. */
  private static final List<String> MADE = List.of(PARQUET, KnownRecordings.LIST, NOTE);

  /** What compacted files begin with; ids are hexadecimal digits. */
  static final String COMPACTED = "compacted-";

  /** What was compacted comes first, so that it is copied as it is and others are fitted to it. */
  static final Comparator<Path> ORDER =
      Comparator.comparing((Path file) -> !isCompacted(file)).thenComparing(Path::getFileName);

  private static final int MOST_ATTEMPTS = 10;
  private static final long RECOVERY_MILLIS = 1_000;

  private final Path dataset;
  private final Steps steps;
  private final FileJoin joiner;

  /** Is told before each step that changes a file; tests end there. */
  interface Steps {
    void next() throws IOException;
  }

  /**
   * What was done.
   *
   * @param made files that took the place of several
   * @param replaced files that are gone for these
   * @param days that were deleted
   * @param busy directories that were left for others used the dataset all the time
   * @param damaged a line for each file that cannot be read, and was left where it is
   * @param kept a line for each that was left since another program wrote it
   */
  record Done(
      int made, int replaced, int days, int busy, List<String> damaged, List<String> kept) {}

  Compactor(Path dataset, Steps steps) {
    this.dataset = dataset;
    this.steps = steps;
    joiner = new FileJoin(dataset, steps);
  }

  /**
   * Shares the lock of a dataset whose compactions have all ended; ends those that a kill left.
   *
   * @return null if it cannot be locked, since this process may write nothing there
   */
  static @Nullable DatasetLock share(Path dataset) throws IOException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      DatasetLock lock = DatasetLock.share(dataset);
      boolean isLeft;
      try {
        isLeft = isLeft(dataset);
      } catch (IOException e) {
        if (lock != null) {
          lock.close();
        }
        throw e;
      }
      if (!isLeft) {
        return lock;
      }
      if (lock == null) {
        throw new IOException(
            dataset + ": a compaction was killed; open it once where it can be written");
      }
      lock.close();
      recover(dataset, RECOVERY_MILLIS);
    }
    throw inUse(dataset);
  }

  private static IOException inUse(Path dataset) {
    return new IOException(
        dataset + ": a compaction was killed, and others use it all the time; try again later");
  }

  private static boolean isLeft(Path dataset) throws IOException {
    Path directory = dataset.resolve(DatasetLayout.COMPACTIONS);
    return Files.isDirectory(directory) && !list(directory, SWAP).isEmpty();
  }

  /** Ends compactions that a kill left, unless others are about to. */
  private static void recover(Path dataset, long patienceMillis) throws IOException {
    Compactor compactor = new Compactor(dataset, () -> {});
    DatasetLock lock = compactor.alone(patienceMillis);
    if (lock != null) {
      try (lock) {
        for (Path swap : list(dataset.resolve(DatasetLayout.COMPACTIONS), SWAP)) {
          compactor.finish(swap);
        }
      }
    }
  }

  private static List<Path> list(Path directory, String ending) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Compacts.
   *
   * @param oldest day that is kept
   * @param patienceMillis how long to wait for queries at each file
   * @throws IOException if another compaction is under way, or the dataset cannot be written
   */
  Done run(LocalDate oldest, long patienceMillis) throws IOException {
    Path directory = Files.createDirectories(dataset.resolve(DatasetLayout.COMPACTIONS));
    try (FileChannel channel =
            FileChannel.open(
                directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock alone = tryLock(channel)) {
      if (alone == null) {
        throw new IOException(dataset + " is being compacted already");
      }
      if (isLeft(dataset)) {
        recover(dataset, patienceMillis);
      }
      if (isLeft(dataset)) {
        // Its rows would be joined once more, and be there twice once it is ended.
        throw inUse(dataset);
      }
      deleteLeft(directory);
      int days = deleteDays(oldest, patienceMillis);
      int made = 0;
      int replaced = 0;
      int busy = 0;
      for (Path parts : directories()) {
        String name = UUID.randomUUID().toString();
        List<Path> files = joiner.join(files(parts), directory.resolve(name + PARQUET));
        if (!isWorth(files)) {
          continue;
        }
        boolean isDone = replace(parts, files, name, patienceMillis);
        made += isDone ? 1 : 0;
        replaced += isDone ? files.size() : 0;
        busy += isDone ? 0 : 1;
      }
      joinLists(directory);
      return new Done(made, replaced, days, busy, joiner.unread(), joiner.kept());
    }
  }

  /** Makes one list of many; after a kill some ids are in two, which does no harm. */
  private void joinLists(Path directory) throws IOException {
    List<Path> many = list(directory, SWAP).isEmpty() ? KnownRecordings.many(dataset) : List.of();
    if (many.isEmpty()) {
      return;
    }
    List<String> ids = new ArrayList<>();
    for (Path list : many) {
      ids.addAll(KnownRecordings.read(list));
    }
    String name = UUID.randomUUID() + KnownRecordings.LIST;
    Path made = directory.resolve(name);
    steps.next();
    KnownRecordings.write(made, ids);
    force(made);
    steps.next();
    Path recordings = dataset.resolve(DatasetLayout.RECORDINGS);
    ParquetDataset.move(made, recordings.resolve(name));
    forceDirectory(recordings);
    for (Path list : many) {
      steps.next();
      Files.delete(list);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Deletes what was made for a compaction that never came to count. */
  private static void deleteLeft(Path directory) throws IOException {
    if (list(directory, SWAP).isEmpty()) {
      for (String ending : MADE) {
        for (Path left : list(directory, ending)) {
          Files.delete(left);
        }
      }
    }
  }

  private List<Path> days() throws IOException {
    try (Stream<Path> all = Files.list(dataset.resolve(DatasetLayout.ROWS))) {
      return all.filter(Files::isDirectory).sorted().toList();
    }
  }

  private List<Path> directories() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path day : days()) {
      try (Stream<Path> services = Files.list(day)) {
        services.filter(Files::isDirectory).sorted().forEach(found::add);
      }
    }
    return found;
  }

  /** The files of a directory that may be replaced: not those of recordings under way. */
  private List<Path> files(Path parts) throws IOException {
    KnownRecordings known = new KnownRecordings(dataset);
    List<Path> files = new ArrayList<>();
    for (Path file : list(parts, PARQUET)) {
      if (!DamagedFiles.isOne(file)) {
        joiner.refuse(file, "it has another name than files here have");
      } else if (isCompacted(file) || known.contains(id(file))) {
        files.add(file);
      }
    }
    files.sort(ORDER);
    return files;
  }

  /** Whether one file is to be made of some: not of one that was made so, nor of none. */
  static boolean isWorth(List<Path> files) {
    return files.size() > 1 || (files.size() == 1 && !isCompacted(files.get(0)));
  }

  private static boolean isCompacted(Path file) {
    return file.getFileName().toString().startsWith(COMPACTED);
  }

  private static String id(Path file) {
    return file.getFileName().toString().split("[-.]", 2)[0];
  }

  /** Has the file of this name take the place of others. */
  private boolean replace(Path parts, List<Path> files, String name, long patienceMillis)
      throws IOException {
    Path directory = dataset.resolve(DatasetLayout.COMPACTIONS);
    steps.next();
    KnownRecordings.write(
        directory.resolve(name + KnownRecordings.LIST),
        files.stream().filter(file -> !isCompacted(file)).map(Compactor::id).toList());
    steps.next();
    Path note = directory.resolve(name + NOTE);
    List<String> lines = new ArrayList<>();
    lines.add(dataset.relativize(parts).toString());
    files.forEach(file -> lines.add(file.getFileName().toString()));
    Files.write(note, lines, StandardCharsets.UTF_8);
    // A power cut must not keep what is deleted, and lose what takes its place.
    for (String ending : MADE) {
      force(directory.resolve(name + ending));
    }
    DatasetLock lock = alone(patienceMillis);
    if (lock == null) {
      Files.delete(note);
      deleteLeft(directory);
      return false;
    }
    try (lock) {
      steps.next();
      Path swap = directory.resolve(name + SWAP);
      Files.move(note, swap, StandardCopyOption.ATOMIC_MOVE);
      finish(swap);
      return true;
    }
  }

  private @Nullable DatasetLock alone(long patienceMillis) throws IOException {
    long end = System.nanoTime() + patienceMillis * 1_000_000;
    DatasetLock lock = DatasetLock.tryAlone(dataset);
    while (lock == null && System.nanoTime() < end) {
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while " + dataset + " was in use", e);
      }
      lock = DatasetLock.tryAlone(dataset);
    }
    return lock;
  }

  /** Does what a note says; all of it, or what is left. */
  private void finish(Path swap) throws IOException {
    List<String> lines = Files.readAllLines(swap, StandardCharsets.UTF_8);
    forceDirectory(dataset.resolve(DatasetLayout.COMPACTIONS));
    String name = swap.getFileName().toString().replace(SWAP, "");
    Path parts = dataset.resolve(lines.get(0));
    Path ids = dataset.resolve(DatasetLayout.RECORDINGS).resolve(name + KnownRecordings.LIST);
    steps.next();
    move(swap.resolveSibling(name + KnownRecordings.LIST), ids);
    for (String replaced : lines.subList(1, lines.size())) {
      steps.next();
      Files.deleteIfExists(parts.resolve(replaced));
    }
    steps.next();
    move(swap.resolveSibling(name + PARQUET), parts.resolve(COMPACTED + name + PARQUET));
    for (String id : KnownRecordings.read(ids)) {
      steps.next();
      Files.deleteIfExists(dataset.resolve(DatasetLayout.mark(id)));
    }
    forceDirectory(parts);
    forceDirectory(dataset.resolve(DatasetLayout.RECORDINGS));
    steps.next();
    Files.delete(swap);
  }

  /** Has what was written reach the disk. */
  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Has names reach the disk, where a system lets a directory be opened for that. */
  private static void forceDirectory(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Windows has none; there the file system's journal does it.
      return;
    }
  }

  /** Moves a file, unless that has been done. */
  private static void move(Path from, Path to) throws IOException {
    try {
      ParquetDataset.move(from, to);
    } catch (NoSuchFileException e) {
      if (!Files.exists(to)) {
        throw e;
      }
    }
  }

  private int deleteDays(LocalDate oldest, long patienceMillis) throws IOException {
    int deleted = 0;
    for (Path day : days()) {
      if (!isBefore(day, oldest)) {
        continue;
      }
      DatasetLock lock = alone(patienceMillis);
      if (lock == null) {
        continue;
      }
      Path gone = dataset.resolve(DatasetLayout.PART + UUID.randomUUID());
      try (lock) {
        steps.next();
        Files.move(day, gone, StandardCopyOption.ATOMIC_MOVE);
      }
      ParquetDataset.delete(gone);
      deleted++;
    }
    return deleted;
  }

  private static boolean isBefore(Path day, LocalDate oldest) {
    String name = day.getFileName().toString();
    String prefix = DatasetLayout.DAY + "=";
    try {
      return name.startsWith(prefix)
          && LocalDate.parse(name.substring(prefix.length())).isBefore(oldest);
    } catch (DateTimeException e) {
      return false;
    }
  }
}
