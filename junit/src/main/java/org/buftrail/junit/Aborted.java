package org.buftrail.junit;

import org.jspecify.annotations.Nullable;

/** Tells a test whose assumption was not met from one that failed. Stateless. */
final class Aborted {
  private static final String OF_JUNIT_4 = "org.junit.internal.AssumptionViolatedException";
  private static final String OF_PLATFORM = "org.opentest4j.TestAbortedException";

  private Aborted() {}

  /** By names: neither JUnit need be there. JUnit takes the exception of the other for one too. */
  static boolean is(@Nullable Throwable failure) {
    Class<?> type = failure == null ? null : failure.getClass();
    while (type != null
        && !type.getName().equals(OF_JUNIT_4)
        && !type.getName().equals(OF_PLATFORM)) {
      type = type.getSuperclass();
    }
    return type != null;
  }
}
