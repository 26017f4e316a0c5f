package org.buftrail.junit;

import java.util.List;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.jspecify.annotations.Nullable;

/** The tracker's scopes, as tests need them. Thread-safe. */
interface Scopes {
  /** Opens a scope that no thread allocates in until one enters; null for the outermost. */
  Scope open(String name, @Nullable Scope parent);

  /** Allocations of its threads are its own. Thread-safe. */
  interface Scope {
    String name();

    /** The calling thread allocates here until the result is closed by it. */
    Entered enter();

    /** What is neither released nor closed now, most bytes first. */
    List<Leak> leaks();

    /** All paths of the JVM so far, of all scopes, with what was released on them. */
    List<Path> paths();

    /**
     * What its threads did to buffers that were released already, and code of a test did not catch.
     */
    List<Misuse> misuses();

    /** What the test failed by, so that a misuse which it is or has as a cause counts. */
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
