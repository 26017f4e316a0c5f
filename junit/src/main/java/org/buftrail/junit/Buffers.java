package org.buftrail.junit;

import org.opentest4j.TestAbortedException;

/** Counts buffers for assertions by hand. Thread-safe. */
public final class Buffers {
  private Buffers() {}

  /**
   * What is run, and may throw.
   *
   * @param <E> what it throws; {@code RuntimeException} where it throws nothing checked
   */
  @FunctionalInterface
  public interface Work<E extends Throwable> {
    /** Runs it. */
    void run() throws E;
  }

  /** Loaded when it is needed, since JUnit need not be there. */
  private static final class Aborted {
    private Aborted() {}

    static RuntimeException exception(String reason) {
      return new TestAbortedException(reason);
    }
  }

  /**
   * Runs something and counts what it allocates, with what tasks and threads do that it starts.
   * Where tests run one after the other, what other threads do meanwhile counts too. Waits, as a
   * test does at its end, for tasks that have not ended and for releases of what is open.
   *
   * <pre>
   *   BufferUse use = Buffers.during(() -> codec.decode(frame));
   *   assertEquals(1, use.allocated());
   *   assertEquals(0, use.live());
   * </pre>
   *
   * <p>What is left open stays the test's.
   *
   * @throws E what {@code work} throws
   * @throws IllegalStateException if the agent is not there, or does not follow each buffer. Where
   *     it was switched off, the test ends as one whose assumption is not met.
   */
  public static <E extends Throwable> BufferUse during(Work<E> work) throws E {
    LeakRun run = TestAgent.run();
    if (run == null) {
      throw absent();
    }
    return run.count(work);
  }

  private static RuntimeException absent() {
    String reason = "buffers are not counted: " + TestAgent.whyNot();
    try {
      return TestAgent.isOff() ? Aborted.exception(reason) : new IllegalStateException(reason);
    } catch (NoClassDefFoundError e) {
      return new IllegalStateException(reason, e);
    }
  }
}
