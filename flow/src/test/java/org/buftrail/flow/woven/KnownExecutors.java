package org.buftrail.flow.woven;

/** What is remembered of executors, for tests in other packages. */
public final class KnownExecutors {
  private KnownExecutors() {}

  /** How many are remembered. */
  public static int count() {
    return ExecutorScopes.known();
  }
}
