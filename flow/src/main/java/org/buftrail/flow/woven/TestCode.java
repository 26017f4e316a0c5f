package org.buftrail.flow.woven;

import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.scope.Scopes;
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

  /** Packages that run code of a test to see what it throws, or to have it fail. */
  private static final String[] ASSERTING = {
    "org.junit.",
    "org.assertj.",
    "org.hamcrest.",
    "org.testng.",
    "com.google.common.truth.",
    "io.kotest.",
    "kotlin.test.",
    "org.awaitility.",
    "reactor.test.",
  };

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

  /** Code of a test asks a future whether it has failed, and so gets to know that. */
  public static void asked(@Nullable Object future) {
    try {
      Throwable cause = SCOPES.hasThrown() ? FailedFutures.cause(future) : null;
      if (cause != null) {
        SCOPES.setCaught(cause, true);
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
    while (at < frames.length && startsWith(frames[at].getClassName(), JDK)) {
      at++;
    }
    return at < frames.length && startsWith(frames[at].getClassName(), ASSERTING);
  }

  private static boolean startsWith(String name, String[] prefixes) {
    for (String prefix : prefixes) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }
}
