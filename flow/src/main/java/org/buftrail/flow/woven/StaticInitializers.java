package org.buftrail.flow.woven;

import org.buftrail.flow.scope.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a static initialiser is running on the calling thread: what it makes is for
 * everybody, whatever test came first. Walks the whole stack, so it is for rare events alone.
 */
final class StaticInitializers {
  private StaticInitializers() {}

  static boolean areRunning() {
    return isRunning(null);
  }

  /** Whether one is running that is not of the class that the scope is named for. */
  static boolean areRunningBeside(Scope scope) {
    return isRunning(scope.name());
  }

  private static boolean isRunning(@Nullable String scope) {
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      if (frame.getMethodName().equals("<clinit>") && !isOf(frame.getClassName(), scope)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class is the one that a scope is named for, or whose method it is named for. */
  private static boolean isOf(String className, @Nullable String scope) {
    return scope != null && (scope.equals(className) || scope.startsWith(className + '.'));
  }
}
