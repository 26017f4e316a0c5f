package org.buftrail.flow.scope;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.buftrail.flow.base.WeakIdentityMap;
import org.jspecify.annotations.Nullable;

/** The exceptions of misuses in open scopes, which code of a test may still catch. Thread-safe. */
final class ThrownMisuses {
  private static final int MAX_THROWN = 10_000;
  private static final int MAX_CAUSES = 100;

  /** Others may be misused between a failure and what tidies up after it. */
  private static final int MAX_RECENT = 8;

  private static final String OWN = "org.buftrail.flow.";

  private final WeakIdentityMap<ThrownMisuse> byException = new WeakIdentityMap<>();

  /** The last ones of each thread, of one scope, newest first. */
  @SuppressWarnings("ThreadLocalUsage") // as few as there are trackers
  private final ThreadLocal<Deque<ThrownMisuse>> recent = new ThreadLocal<>();

  /** Names of classes that are code of tests. */
  private final Set<String> testClasses = ConcurrentHashMap.newKeySet();

  /** A class is code of a test. */
  void addTestClass(String name) {
    testClasses.add(name);
  }

  /** The calling thread has done it. */
  void add(Throwable thrown, ThrownMisuse misuse) {
    Deque<ThrownMisuse> before = recent.get();
    if (before == null || !misuse.isOfSameScope(before.getFirst())) {
      before = new ArrayDeque<>();
      recent.set(before);
    }
    for (ThrownMisuse each : before) {
      if (misuse.isTidyingUpAfter(each, testClasses)) {
        misuse.join(each);
        break;
      }
    }
    before.addFirst(misuse);
    if (before.size() > MAX_RECENT) {
      before.removeLast();
    }
    if (byException.size() < MAX_THROWN) {
      byException.put(thrown, misuse);
    }
  }

  boolean isEmpty() {
    return byException.isEmpty();
  }

  /**
   * Sets whether misuses count whose exception this is, or is a cause of it, or suppressed by it.
   */
  void setCaught(Throwable top, boolean caught) {
    for (ThrownMisuse misuse : of(top)) {
      misuse.setCaught(caught, framesBelow(new Throwable().getStackTrace()));
    }
  }

  /** Code of a test knows that something failed by this exception, and not more. */
  void setAsked(Throwable top) {
    for (ThrownMisuse misuse : of(top)) {
      misuse.setAsked(framesBelow(new Throwable().getStackTrace()));
    }
  }

  /** Those whose exception this is, or is a cause of it, or suppressed by it. */
  private List<ThrownMisuse> of(Throwable top) {
    List<ThrownMisuse> found = new ArrayList<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> left = new ArrayDeque<>();
    left.add(top);
    while (!left.isEmpty() && seen.size() < MAX_CAUSES) {
      Throwable at = left.remove();
      if (!seen.add(at)) {
        continue;
      }
      ThrownMisuse misuse = byException.get(at);
      if (misuse != null) {
        found.add(misuse);
      }
      @Nullable Throwable cause = at.getCause();
      if (cause != null) {
        left.add(cause);
      }
      Collections.addAll(left, at.getSuppressed());
    }
    return found;
  }

  /** How many frames are below the innermost that is not ours. */
  private static int framesBelow(StackTraceElement[] here) {
    int own = 0;
    while (own < here.length && here[own].getClassName().startsWith(OWN)) {
      own++;
    }
    return here.length - 1 - own;
  }

  /** Lets go of those that were collected. For the sweeper alone. */
  void expunge() {
    byException.expunge();
  }
}
