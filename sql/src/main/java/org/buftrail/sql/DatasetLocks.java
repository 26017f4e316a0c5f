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
    } catch (IOException e) {
      shared.close();
      throw e;
    }
    return shared;
  }

  @Override
  public void close() throws IOException {
    for (DatasetLock lock : locks) {
      lock.close();
    }
  }
}
