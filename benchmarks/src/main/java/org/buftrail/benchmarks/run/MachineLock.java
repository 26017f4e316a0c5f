package org.buftrail.benchmarks.run;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import org.openjdk.jmh.runner.RunnerException;

/**
 * JMH's lock, which keeps one benchmark run from another on the same machine, held for a run of
 * many runners: each of them would refuse to run beside the others.
 */
final class MachineLock implements AutoCloseable {
  private static final String FILE = System.getProperty("java.io.tmpdir") + "/jmh.lock";

  // Keeps the file, and so the lock, until it is closed.
  private final RandomAccessFile file;

  /**
   * Takes the lock. To be called before JMH's runner is loaded.
   *
   * @throws RunnerException when another run has it
   */
  MachineLock() throws RunnerException {
    try {
      File shared = new File(FILE);
      if (shared.createNewFile()) {
        shared.setWritable(true, false);
      }
      file = new RandomAccessFile(shared, "rw");
      FileLock lock = file.getChannel().tryLock();
      if (lock == null) {
        file.close();
        throw new RunnerException("other benchmarks run on this machine and hold " + FILE);
      }
    } catch (IOException e) {
      throw new RunnerException("cannot lock " + FILE + ": " + e.getMessage(), e);
    }
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
