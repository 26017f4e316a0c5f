package org.buftrail.junit;

import java.util.List;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.ScopeUse;
import org.jspecify.annotations.Nullable;

/** The tracker's scopes, as tests need them. Thread-safe. */
interface Scopes {
  /**
   * Opens a scope that no thread allocates in until one enters; null for the outermost.
   *
   * @param budget has it count what is used; null for no count
   */
  Scope open(String name, @Nullable Scope parent, @Nullable Budget budget);

  /** Opens one that counts within the one that the calling thread is in, and owns as much. */
  default Scope openHere() {
    throw new UnsupportedOperationException();
  }

  /** Allocations of its threads are its own. Thread-safe. */
  interface Scope {
    String name();

    /** The calling thread allocates here until the result is closed by it. */
    Entered enter();

    /** Owns what is in no scope within or beside it. */
    void claim();

    /** Whether it does, since nothing runs beside it. */
    boolean isClaiming();

    /** Whether an executor has a task of its threads that has not ended. */
    boolean hasTasks();

    /** Whether a timer has a task of its threads that may still run. */
    boolean hasTimers();

    /** Threads that were made since it was opened have this number or a higher one. */
    long firstThread();

    /** The leaks: neither released nor closed now, most bytes first. */
    List<Leak> leaks();

    /** All paths of the JVM so far, of all scopes, with what was released on them. */
    List<Path> paths();

    /** What was counted; of a scope that was opened with a budget only. */
    ScopeUse use();

    /** The misuses of released buffers by its threads that code of a test did not catch. */
    List<Misuse> misuses();

    /** Takes the failure of the test: a misuse that is this failure, or a cause of it, counts. */
    void failedBy(Throwable failure);

    /** Ends it; what is left over is nobody's from now on. */
    void close();

    /** Ends it; what is left over is the parent's from now on. */
    void handOver();
  }

  /** A thread's stay in a scope. */
  interface Entered extends AutoCloseable {
    @Override
    void close();
  }
}
