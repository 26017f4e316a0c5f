package org.buftrail.console.output;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.buftrail.report.OutputFile;

/**
 * Outputs of one command that are written beside their places. When a signal ends the JVM
 * meanwhile, they are taken away; what is in its place by then stays. Each belongs to one thread.
 */
final class Unfinished implements AutoCloseable {
  /** Held whenever a file begins or ends. Once the JVM ends, nobody gets it any more. */
  private static final ReentrantLock ENDS = new ReentrantLock();

  private static final Set<OutputFile> ALL = new HashSet<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(new Removal(), "buftrail-unfinished"));
  }

  private final List<OutputFile> files = new ArrayList<>();

  Unfinished() {}

  OutputStream open(OutputFile file) throws IOException {
    ENDS.lock();
    try {
      files.add(file);
      ALL.add(file);
      return file.open();
    } finally {
      ENDS.unlock();
    }
  }

  /** Puts a file that is written into its place. */
  void commit(OutputFile file) throws IOException {
    ENDS.lock();
    try {
      file.commit();
    } finally {
      ENDS.unlock();
    }
  }

  /** Takes away what was not put into its place. */
  @Override
  public void close() {
    ENDS.lock();
    try {
      ALL.removeAll(files);
      remove(files);
    } finally {
      ENDS.unlock();
    }
  }

  private static void remove(Collection<OutputFile> files) {
    for (OutputFile file : files) {
      try {
        file.close();
      } catch (IOException e) {
        // The message is out already.
      }
    }
  }

  /** Not a lambda: the first takes a twentieth of a short run. */
  private static final class Removal implements Runnable {
    @Override
    public void run() {
      ENDS.lock();
      remove(ALL);
    }
  }
}
