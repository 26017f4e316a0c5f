package org.buftrail.benchmarks.run;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;

/**
 * JMH's lock, which keeps one benchmark run from another on the same machine, held for a run of
 * many runners: each of them would refuse to run beside the others. Told to ignore it, JMH 1.37
 * does not open the file either, which would let go of the lock.
 */
final class MachineLock implements AutoCloseable {
  private static final String FILE = System.getProperty("java.io.tmpdir") + "/jmh.lock";
  private static final String IGNORED = "jmh.ignoreLock";

  // Keeps the file, and so the lock, until it is closed; null if the user wants none.
  private final @Nullable RandomAccessFile file;

  /**
   * Takes the lock. To be called before JMH's runner is loaded.
   *
   * @throws RunnerException when another run has it
   */
  MachineLock() throws RunnerException {
    try {
      file = Boolean.getBoolean(IGNORED) ? null : lock();
    } catch (IOException e) {
      throw new RunnerException("cannot lock " + FILE + ": " + e.getMessage(), e);
    }
    System.setProperty(IGNORED, "true");
  }

  private static RandomAccessFile lock() throws IOException, RunnerException {
    File shared = new File(FILE);
    if (shared.createNewFile()) {
      shared.setWritable(true, false);
    }
    RandomAccessFile opened = new RandomAccessFile(shared, "rw");
    if (opened.getChannel().tryLock() == null) {
      opened.close();
      throw new RunnerException("other benchmarks run on this machine and hold " + FILE);
    }
    return opened;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
