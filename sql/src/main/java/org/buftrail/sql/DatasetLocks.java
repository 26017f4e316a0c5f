package org.buftrail.sql;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The locks of datasets that are asked together; those that cannot be locked are left out. */
final class DatasetLocks implements AutoCloseable {
  private final List<DatasetLock> locks = new ArrayList<>();

  private DatasetLocks() {}

  /** Shares the locks of some datasets, of none too. */
  static DatasetLocks share(List<Path> datasets) throws IOException {
    DatasetLocks shared = new DatasetLocks();
    try {
      for (Path dataset : datasets) {
        DatasetLock lock = Compactor.share(dataset);
        if (lock != null) {
          shared.locks.add(lock);
        }
      }
    } catch (IOException | RuntimeException e) {
      try {
        shared.close();
      } catch (IOException other) {
        e.addSuppressed(other);
      }
      throw e;
    }
    return shared;
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    for (DatasetLock lock : locks) {
      try {
        lock.close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
