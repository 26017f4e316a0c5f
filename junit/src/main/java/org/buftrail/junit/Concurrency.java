package org.buftrail.junit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.commons.support.AnnotationSupport;

/** What else JUnit may run while it runs a test or class. */
final class Concurrency {
  private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";
  private static final String OF_CLASSES = "junit.jupiter.execution.parallel.mode.classes.default";
  private static final String BY_DEFAULT = "junit.jupiter.execution.parallel.mode.default";
  private static final String DETECTED = "junit.jupiter.extensions.autodetection.enabled";

  private Concurrency() {}

  /**
   * Whether nothing else in the class around, or in the run, runs beside it. By what was configured
   * alone, so that it is the same in each run.
   */
  static boolean isAlone(ExtensionContext context) {
    if (!is(context, PARALLEL, "true")) {
      return true;
    }
    if (context.getExecutionMode() == ExecutionMode.CONCURRENT) {
      return false;
    }
    boolean isTopLevel =
        context.getTestMethod().isEmpty()
            && context.getTestClass().filter(type -> type.getEnclosingClass() == null).isPresent();
    return !isTopLevel || !areClassesConcurrent(context) || isIsolated(context);
  }

  /** Classes beside one that is not concurrent by its own annotation. */
  private static boolean areClassesConcurrent(ExtensionContext context) {
    return context
        .getConfigurationParameter(OF_CLASSES)
        .or(() -> context.getConfigurationParameter(BY_DEFAULT))
        .filter("concurrent"::equalsIgnoreCase)
        .isPresent();
  }

  private static boolean isIsolated(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getElement(), Isolated.class);
  }

  /** Whether each test of the run has a scope. */
  static boolean areAllWatched(ExtensionContext context) {
    return is(context, DETECTED, "true");
  }

  private static boolean is(ExtensionContext context, String parameter, String value) {
    return context.getConfigurationParameter(parameter).filter(value::equalsIgnoreCase).isPresent();
  }
}
