package org.buftrail.junit;

/** Runs all of a test in its scope, and judges it afterwards. Stateless. */
final class ScopedWork {
  /** The test. */
  interface Body {
    void run() throws Throwable;
  }

  private ScopedWork() {}

  /**
   * Throws what the test throws, or else what the judge does. A test whose assumption is not met is
   * not judged.
   *
   * @param claims whether what any thread allocates meanwhile is the scope's
   * @param judge ends the scope; throws {@link BufferLeakError}
   */
  static void run(Scopes.Scope scope, boolean claims, Body body, Runnable judge) throws Throwable {
    Throwable failure = null;
    Scopes.Entered visit = scope.enter();
    if (claims) {
      scope.claim();
    }
    try {
      body.run();
    } catch (Throwable e) {
      if (Aborted.is(e)) {
        scope.close();
        throw e;
      }
      failure = e;
      scope.failedBy(e);
    } finally {
      visit.close();
    }
    try {
      judge.run();
    } catch (BufferLeakError e) {
      if (failure == null) {
        throw e;
      }
      failure.addSuppressed(e);
    }
    if (failure != null) {
      throw failure;
    }
  }
}
