package org.buftrail.sql;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a dataset, for threads and processes of one host: queries and additions share it, and
 * files are replaced by one that has it alone. The system takes it from a process that ends. A JVM
 * has each file open once, since closing any channel of it gives up all its locks.
 */
final class DatasetLock implements AutoCloseable {
  private static final String NAME = ".lock";
  private static final Map<Path, DatasetLock> HELD = new HashMap<>();

  private final Path file;
  private final FileChannel channel;
  private final boolean isShared;
  private int holders = 1;

  private DatasetLock(Path file, FileChannel channel, boolean isShared) {
    this.file = file;
    this.channel = channel;
    this.isShared = isShared;
  }

  /**
   * Takes the lock together with others, and waits while one has it alone.
   *
   * @return null if this process may write nothing there, so that it cannot be locked
   */
  static @Nullable DatasetLock share(Path dataset) throws IOException {
    Path file = dataset.toRealPath().resolve(NAME);
    synchronized (HELD) {
      DatasetLock held = HELD.get(file);
      while (held != null && !held.isShared) {
        await();
        held = HELD.get(file);
      }
      if (held != null) {
        held.holders++;
        return held;
      }
      try {
        return hold(file, open(file), true);
      } catch (FileSystemException e) {
        // Of another user, or on a file system that is mounted to be read.
        return null;
      }
    }
  }

  /** Takes the lock alone; null if others have it. */
  static @Nullable DatasetLock tryAlone(Path dataset) throws IOException {
    Path file = dataset.toRealPath().resolve(NAME);
    synchronized (HELD) {
      return HELD.containsKey(file) ? null : hold(file, open(file), false);
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static @Nullable DatasetLock hold(Path file, FileChannel channel, boolean isShared)
      throws IOException {
    FileLock lock = null;
    try {
      lock = isShared ? channel.lock(0, Long.MAX_VALUE, true) : channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another class loader's.
      lock = null;
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      return null;
    }
    DatasetLock held = new DatasetLock(file, channel, isShared);
    HELD.put(file, held);
    return held;
  }

  private static void await() throws IOException {
    try {
      HELD.wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a dataset was locked", e);
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (HELD) {
      if (--holders == 0) {
        HELD.remove(file);
        channel.close();
        HELD.notifyAll();
      }
    }
  }
}
