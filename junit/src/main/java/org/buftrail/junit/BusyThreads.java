package org.buftrail.junit;

import java.util.Map;

/** What threads may still do by themselves. Stateless. */
final class BusyThreads {
  /** Virtual threads cannot be listed; where these are, some may be at work. */
  private static final String CARRIER = "jdk.internal.misc.CarrierThread";

  /** Threads of the JVM, its tools and Surefire, which release nothing. */
  private static final String[] OTHERS = {
    "surefire-", "Attach Listener", "DestroyJavaVM", "Monitor Ctrl-Break", "process reaper", "JFR "
  };

  private BusyThreads() {}

  /** Whether it is seen at once that a thread was woken up. */
  static boolean areSeenAtOnce() {
    return KernelTasks.areTold();
  }

  /**
   * The most that any thread but the calling one does, unless it is one of a pool that has nothing
   * to do.
   *
   * @param first the number of the first thread whose waits are of interest
   */
  static Activity most(long first) {
    // Asked before the JVM is: to list stacks stops threads for a moment.
    Boolean running = KernelTasks.isAnyRunning();
    if (Boolean.TRUE.equals(running)) {
      return Activity.NOW;
    }
    Activity most = Activity.NONE;
    for (Map.Entry<Thread, StackTraceElement[]> e : Thread.getAllStackTraces().entrySet()) {
      Thread thread = e.getKey();
      Activity own = Activity.NONE;
      if (isCarrier(thread)) {
        own = running == null ? Activity.LATER : Activity.ELSEWHERE;
      } else if (isOfTheApplication(thread)) {
        own = of(thread.getState(), e.getValue(), running != null);
      }
      if (own == Activity.ELSEWHERE && thread.getId() >= first) {
        own = Activity.LATER;
      }
      most = own.compareTo(most) > 0 ? own : most;
    }
    return most;
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
   * @param isAsleep whether it is known not to run
   */
  static Activity of(Thread.State state, StackTraceElement[] stack, boolean isAsleep) {
    switch (state) {
      case NEW:
      case TERMINATED:
      case WAITING:
        return Activity.NONE;
      case TIMED_WAITING:
        return isUnemployed(stack) ? Activity.NONE : Activity.ELSEWHERE;
      case RUNNABLE:
        // The JVM stops threads too, which stand in no native method then.
        return isAsleep && stack.length > 0 && stack[0].isNativeMethod()
            ? Activity.ELSEWHERE
            : Activity.NOW;
      default:
        return Activity.NOW;
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
