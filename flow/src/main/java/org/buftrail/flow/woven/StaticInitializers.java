package org.buftrail.flow.woven;

import org.buftrail.flow.scope.Scope;

/**
 * Whose is what the calling thread makes while a static initialiser runs: it outlives the test that
 * came first. Walks the whole stack, so it is for rare events alone.
 */
final class StaticInitializers {
  private StaticInitializers() {}

  /** The scope of the class whose initialiser runs innermost, or the given one where none runs. */
  static Scope owner(Scope scope) {
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      if (frame.getMethodName().equals("<clinit>")) {
        return scope.ofInitializer(frame.getClassName());
      }
    }
    return scope;
  }
}
