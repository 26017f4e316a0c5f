package org.buftrail.flow.woven;

import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.base.WeakIdentityMap;
import org.buftrail.flow.scope.Scope;
import org.buftrail.flow.scope.Scopes;
import org.jspecify.annotations.Nullable;

/**
 * What woven code of executors and event loops calls, so that a task is run in the scope of the
 * thread that handed it over, and that between tasks their threads are in the scope in which the
 * executor was made. Many start a thread when the first task comes; by itself the thread would be
 * in the scope of the code that submitted that task, of a test perhaps that shares the executor
 * with others.
 *
 * <p>An executor that was there before any scope is everybody's: its threads are in the outermost
 * scope. Nothing here throws. Any thread.
 */
public final class ExecutorScopes {
  private static final WeakIdentityMap<Scope> BY_EXECUTOR = new WeakIdentityMap<>();

  private static final Scopes SCOPES = Tracker.INSTANCE.scopes;

  private static @Nullable Runnable weaver;

  private ExecutorScopes() {}

  /**
   * Called by the agent.
   *
   * @param weaver weaves executors; run once, as the first scope opens
   */
  public static synchronized void setWeaver(@Nullable Runnable weaver) {
    ExecutorScopes.weaver = weaver;
  }

  /** The first scope opens, or another. */
  public static synchronized void prepare() {
    Runnable first = weaver;
    weaver = null;
    if (first != null) {
      first.run();
    }
  }

  /** An executor has been made by the calling thread. */
  public static void made(Object executor) {
    try {
      Scope scope = SCOPES.current();
      if (scope != null) {
        BY_EXECUTOR.put(executor, StaticInitializers.owner(scope));
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** The calling thread works for an executor from now on. */
  public static void begun(Object executor) {
    try {
      Scope now = SCOPES.current();
      Scope known = BY_EXECUTOR.isEmpty() ? null : BY_EXECUTOR.get(executor);
      if (known != null) {
        SCOPES.serve(known);
      } else if (now != null) {
        SCOPES.serve(now.outermost());
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** The calling thread hands a task to a pool or loop, which takes it once. */
  public static void handed(@Nullable Object task) {
    try {
      handed(task, false, true);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** The calling thread hands a task to a timer, which may take it again and again. */
  public static void lasting(@Nullable Object task) {
    try {
      handed(task, true, false);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** The calling thread hands a task to an executor of somebody else's, which may wrap it. */
  public static void offered(@Nullable Object task) {
    try {
      handed(task, false, false);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  private static void handed(@Nullable Object task, boolean isLasting, boolean isCounted) {
    if (task != null && SCOPES.areOpen() && !isOfTheJvm(task)) {
      SCOPES.handed(task, isLasting, isCounted);
    }
  }

  /** A virtual thread goes on: to wake it up is not to submit work. */
  private static boolean isOfTheJvm(Object task) {
    return task.getClass().getName().startsWith("java.lang.");
  }

  /** A thread of an executor begins with a task. */
  public static void taken(Object task) {
    try {
      SCOPES.begun(task);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A thread of an executor has ended a task. */
  public static void ended(Object task) {
    try {
      SCOPES.ended(task);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** Stands for the call of a task in an executor; throws what the task throws. */
  public static void run(Runnable task) {
    taken(task);
    try {
      task.run();
    } finally {
      ended(task);
    }
  }

  /** How many executors are remembered. Tests only. */
  static int known() {
    return BY_EXECUTOR.size();
  }

  /** Lets go of what was collected. For the sweeper alone: {@link WeakIdentityMap#expunge}. */
  public static void expunge() {
    BY_EXECUTOR.expunge();
  }
}
