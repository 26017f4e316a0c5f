package org.buftrail.flow.base;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.buftrail.model.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * Errors inside the tracker, which the application must never see.
 *
 * <p>Each is counted; the first of each kind is logged; many within seconds switch the tracker off.
 *
 * <p>The thread may be out of stack, or the heap full. So a handler allocates nothing, and names
 * nothing: to look at a stack trace for the first time initialises classes of the JDK, and one that
 * fails in that is lost to the application too. {@link #tell}, on a thread of the tracker's, names
 * what has come. Even the call of {@link #add} can fail for want of stack, so each handler that
 * stands between the application and the tracker is written so:
 *
 * <pre>
 *   } catch (Throwable e) {
 *     try {
 *       Suppressed.add(e);
 *     } catch (VirtualMachineError again) {
 *       Suppressed.unadded++;
 *     }
 *   }
 * </pre>
 *
 * The innermost call there needs no frame. What else {@link #add} lets pass, a {@code ThreadDeath},
 * is for the application. Any thread.
 */
public final class Suppressed {
  /** Ten seconds: an error now and then, over days, is no reason to stop. */
  private static final long BURST_NANOS = 10_000_000_000L;

  private static final int MAX_KINDS = 64;

  /** How many are kept until they are named. A power of two. */
  private static final int MAX_RECENT = 64;

  /**
   * Errors that {@link #add} had no stack for. Written plainly: of two at once, one may be lost.
   */
  public static int unadded;

  private static final AtomicLong COUNT = new AtomicLong();
  private static final ErrorRate BURST = new ErrorRate(TrackingMode.BURST_ERRORS, BURST_NANOS);

  /** Not named yet. What comes when all are taken is counted only. */
  private static final Throwable[] RECENT = new Throwable[MAX_RECENT];

  private static final AtomicInteger NEXT = new AtomicInteger();

  /** Guarded by the class, as the next is. */
  private static final Set<String> KINDS = new HashSet<>();

  private static boolean endTold;

  /** Ends the JVM's tracker, once there is one, when too many errors come at once. */
  private static volatile @Nullable TrackingMode ending;

  /** Null on a JVM that has it no more. */
  private static final @Nullable Class<?> THREAD_DEATH = threadDeath();

  private Suppressed() {}

  private static @Nullable Class<?> threadDeath() {
    try {
      return Class.forName("java.lang.ThreadDeath", false, null);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** Called once, by the JVM's tracker. */
  public static synchronized void setEnding(TrackingMode mode) {
    ending = mode;
    endTold = false;
  }

  /** Counts an error that is logged elsewhere. */
  public static void addLogged() {
    COUNT.incrementAndGet();
  }

  /**
   * Notes an error.
   *
   * @throws ThreadDeath if it is one: the application ends its thread, which is no error of ours
   */
  public static void add(Throwable error) {
    passOn(error);
    COUNT.getAndIncrement();
    try {
      int slot = NEXT.getAndIncrement() & MAX_RECENT - 1;
      if (RECENT[slot] == null) {
        RECENT[slot] = error;
      }
      TrackingMode mode = ending;
      if (!isOfTheJvm(error) && BURST.add(System.nanoTime()) && mode != null) {
        mode.giveUp();
      }
    } catch (RuntimeException | VirtualMachineError | LinkageError ignored) {
      // It is counted. Out of memory or of stack, there is no more to be done.
    }
  }

  /** Throws an error that ends the thread it is met on, and no other. */
  public static void passOn(Throwable error) {
    if (THREAD_DEATH != null && THREAD_DEATH.isInstance(error)) {
      throw (Error) error;
    }
  }

  /** Whether the application ran out of stack or memory while it was in the tracker by chance. */
  public static boolean isOfTheJvm(Throwable error) {
    return error instanceof StackOverflowError || error instanceof OutOfMemoryError;
  }

  /** Logs what is new. On a thread of the tracker's, or one that waits for a snapshot. */
  public static synchronized void tell() {
    for (int i = 0; i < MAX_RECENT; i++) {
      Throwable error = RECENT[i];
      if (error != null) {
        tell(error);
        RECENT[i] = null;
      }
    }
    TrackingMode mode = ending;
    if (!endTold && mode != null && !mode.isAlive()) {
      TrackerLog.add("tracking is off: " + TrackingMode.GAVE_UP);
      endTold = true;
    }
  }

  private static void tell(Throwable error) {
    String kind = error.getClass().getName();
    if (isOfTheJvm(error)) {
      if (KINDS.add(kind)) {
        TrackerLog.add("suppressed " + kind + ", met inside the tracker");
      }
      return;
    }
    String place = place(error);
    if (KINDS.size() < MAX_KINDS && KINDS.add(kind + place)) {
      TrackerLog.add("suppressed " + ErrorText.of(error) + place);
    }
  }

  /** Where it was thrown; code of the application may answer, and throw. */
  private static String place(Throwable error) {
    try {
      StackTraceElement[] trace = error.getStackTrace();
      return trace.length > 0 ? " at " + trace[0] : "";
    } catch (Throwable e) {
      return "";
    }
  }

  public static long count() {
    return COUNT.get() + unadded;
  }
}
