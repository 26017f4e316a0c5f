package org.buftrail.junit;

import java.util.Map;

/** Whether a thread may still do something by itself. Stateless. */
final class BusyThreads {
  /** Virtual threads cannot be listed; where these are, some may be at work. */
  private static final String CARRIER = "jdk.internal.misc.CarrierThread";

  /** Threads of the JVM, its tools and Surefire, which release nothing. */
  private static final String[] OTHERS = {
    "surefire-", "Attach Listener", "DestroyJavaVM", "Monitor Ctrl-Break", "process reaper", "JFR "
  };

  private BusyThreads() {}

  /**
   * Whether any thread but the calling one runs, or waits for a time or for something from outside
   * of the JVM, unless it is one of a pool that has nothing to do.
   */
  static boolean areAny() {
    for (Map.Entry<Thread, StackTraceElement[]> e : Thread.getAllStackTraces().entrySet()) {
      Thread thread = e.getKey();
      if (isCarrier(thread)
          || (isOfTheApplication(thread) && isBusy(thread.getState(), e.getValue()))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfTheApplication(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    if (thread == Thread.currentThread() || group == null || group.getParent() == null) {
      return false;
    }
    String name = thread.getName();
    for (String other : OTHERS) {
      if (name.startsWith(other)) {
        return false;
      }
    }
    return !name.startsWith("buftrail") && !group.getName().equals("InnocuousThreadGroup");
  }

  /**
   * @param stack its frames, innermost first
   */
  static boolean isBusy(Thread.State state, StackTraceElement[] stack) {
    switch (state) {
      case NEW:
      case TERMINATED:
      case WAITING:
        return false;
      case TIMED_WAITING:
        return !isUnemployed(stack);
      default:
        return true;
    }
  }

  /** A worker of a pool that would end after a time without work, and no timer. */
  private static boolean isUnemployed(StackTraceElement[] stack) {
    boolean isWorker = false;
    for (StackTraceElement frame : stack) {
      String type = frame.getClassName();
      if (type.endsWith("DelayedWorkQueue")) {
        return false;
      }
      isWorker |=
          type.startsWith("java.util.concurrent.")
              && (frame.getMethodName().equals("getTask")
                  || frame.getMethodName().equals("awaitWork"));
    }
    return isWorker;
  }

  private static boolean isCarrier(Thread thread) {
    return thread.getClass().getName().equals(CARRIER);
  }
}
