package org.buftrail.junit;

import java.util.List;

/** A budget that a test did not keep. Immutable. */
final class Overrun {
  private static final String[] LIBRARY = {"io.netty.", "java.", "jdk.", "org.buftrail.flow."};

  /** What the test did, and what its budget is; its name stands before that. */
  final String text;

  /** Where most of it went, as lines for people. */
  final List<String> paths;

  private final List<StackTraceElement> stack;

  /**
   * @param stack of the allocation that went past the budget; empty if there is none
   */
  Overrun(String text, List<StackTraceElement> stack, List<String> paths) {
    this.text = text;
    this.stack = List.copyOf(stack);
    this.paths = List.copyOf(paths);
  }

  /** The stack of the allocation that went past the budget, from the caller of the library on. */
  StackTraceElement[] trace() {
    int from = 0;
    while (from < stack.size() && isOfLibrary(stack.get(from))) {
      from++;
    }
    return stack
        .subList(from == stack.size() ? 0 : from, stack.size())
        .toArray(new StackTraceElement[0]);
  }

  private static boolean isOfLibrary(StackTraceElement frame) {
    for (String each : LIBRARY) {
      if (frame.getClassName().startsWith(each)) {
        return true;
      }
    }
    return false;
  }
}
