package org.buftrail.flow.woven;

import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.scope.Scopes;
import org.buftrail.flow.scope.TestFrameworks;
import org.jspecify.annotations.Nullable;

/**
 * What woven code of tests and assertion libraries calls with the exceptions that reach it, so that
 * a misuse which a test provoked and caught is distinguished from one that the code under test
 * swallowed.
 *
 * <p>Nothing here throws. Any thread.
 */
public final class TestCode {
  private static final Scopes SCOPES = Tracker.INSTANCE.scopes;

  private static final String OWN = "org.buftrail.flow.woven.TestCode";
  private static final String[] JDK = {"java.", "javax.", "jdk.", "sun."};

  private TestCode() {}

  /** Code of a test, or an assertion library for it, has caught or been given an exception. */
  public static void caught(@Nullable Object thrown) {
    try {
      if (SCOPES.hasThrown() && thrown instanceof Throwable) {
        SCOPES.setCaught((Throwable) thrown, true);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A method of a test lets an exception pass, perhaps to an assertion. */
  public static void passed(@Nullable Object thrown) {
    try {
      if (SCOPES.hasThrown()
          && thrown instanceof Throwable
          && isAsserted(new Throwable().getStackTrace())) {
        SCOPES.setCaught((Throwable) thrown, true);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** Code of a test has asked a future whether it failed, and so knows that. */
  public static void asked(@Nullable Object future) {
    try {
      Throwable cause = SCOPES.hasThrown() ? FailedFutures.cause(future) : null;
      if (cause != null) {
        SCOPES.setAsked(cause);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** The static initialiser of a class of a test begins. */
  public static void initializing(String className) {
    try {
      SCOPES.initializing(className);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** The static initialiser of a class of a test has ended, or failed. */
  public static void initialized(String className) {
    try {
      SCOPES.ended(className);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** Whether the caller of the woven method asserts, perhaps by reflection. */
  private static boolean isAsserted(StackTraceElement[] frames) {
    int at = 0;
    while (at < frames.length && frames[at].getClassName().equals(OWN)) {
      at++;
    }
    at++;
    while (at < frames.length && isJdks(frames[at].getClassName())) {
      at++;
    }
    return at < frames.length && TestFrameworks.have(frames[at].getClassName());
  }

  private static boolean isJdks(String className) {
    for (String prefix : JDK) {
      if (className.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }
}
