package org.buftrail.flow.scope;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.MisuseCounts;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * A misuse whose exception may still reach the code of a test. It does not refer to the exception,
 * nor to what may. A thread's last ones stay with it until it misuses a buffer in another scope.
 * Thread-safe.
 */
final class ThrownMisuse {
  private static final int MAX_OF_ONE = 100;

  /** Past that, those asked for stay caught when a test fails. */
  private static final int MAX_ASKED = 1_000;

  private final MisuseCounts counts;

  /** Those of its scope that count as caught only since a test asked. Guarded by the counts. */
  private final List<ThrownMisuse> asked;

  private final MisuseCounts.Key key;
  private final @Nullable Node earlier;
  private final StackTraceElement[] stack;
  private final WeakReference<TrackedBuffer> buffer;
  private final @Nullable WeakReference<Stay> during;
  private final long thread = Thread.currentThread().getId();

  /** All of one failure, of one scope, with this: a test that sees one has seen them. */
  private List<ThrownMisuse> failure = new ArrayList<>(List.of(this));

  /** Whether the code of a test caught it. Guarded by {@link #counts}. */
  private boolean caught;

  /** How many frames were below the outermost catch of its own thread. Guarded by the same. */
  private int framesBelow = Integer.MAX_VALUE;

  /**
   * @param counts has it already
   * @param asked see the field
   * @param during the stay in which its thread is
   */
  ThrownMisuse(
      MisuseCounts counts,
      List<ThrownMisuse> asked,
      MisuseCounts.Key key,
      @Nullable Node earlier,
      StackTraceElement[] stack,
      TrackedBuffer buffer,
      @Nullable Stay during) {
    this.counts = counts;
    this.asked = asked;
    this.key = key;
    this.earlier = earlier;
    this.stack = stack;
    this.buffer = new WeakReference<>(buffer);
    this.during = during == null ? null : new WeakReference<>(during);
  }

  /** Whether both are of the same scope. */
  boolean isOfSameScope(ThrownMisuse other) {
    return counts == other.counts;
  }

  /** Makes this one of the failure of an earlier one of the scope. Before others know of it. */
  void join(ThrownMisuse before) {
    synchronized (counts) {
      if (before.failure.size() >= MAX_OF_ONE) {
        return;
      }
      failure = before.failure;
      failure.add(this);
      framesBelow = before.framesBelow;
      if (asked.contains(before)) {
        asked.add(this);
      }
      set(before.caught);
    }
  }

  /**
   * Whether a method that the earlier exception passed did this to the same buffer further down: a
   * {@code finally} whose exception takes the place of the first, or a {@code catch} that tidies up
   * and passes the first on. Either is lost to Java. Not in a test, nor in what runs a test and
   * then what follows it: both may misuse a buffer once after the other. Nor in another call, after
   * the test has had the first. Nor where a pipeline kept the first from passing that method.
   *
   * @param before of the same thread
   * @param tests names of classes of tests
   */
  boolean isTidyingUpAfter(ThrownMisuse before, Set<String> tests) {
    if (!key.isOfSameEnd(before.key) || !isOfSameBuffer(before) || !isInSameStay(before)) {
      return false;
    }
    int mine = stack.length - 1;
    int theirs = before.stack.length - 1;
    while (mine >= 0 && theirs >= 0 && stack[mine].equals(before.stack[theirs])) {
      mine--;
      theirs--;
    }
    if (mine < 0 || theirs < 0 || before.wasCaughtBelow(stack.length - 1 - mine)) {
      return false;
    }
    StackTraceElement here = stack[mine];
    StackTraceElement there = before.stack[theirs];
    return here.getLineNumber() > there.getLineNumber()
        && there.getLineNumber() > 0
        && here.getMethodName().equals(there.getMethodName())
        && here.getClassName().equals(there.getClassName())
        && !tests.contains(here.getClassName())
        && !TestFrameworks.have(here.getClassName())
        && !before.wasCaughtAbove(theirs);
  }

  /**
   * Whether Netty has caught it in a frame that was called by the one at an index: what a handler
   * throws goes to the next handler or to a promise, not to who wrote or fired the message. But an
   * {@code EmbeddedChannel} throws it on to who feeds it.
   */
  private boolean wasCaughtAbove(int frame) {
    boolean wasCaught = false;
    for (int i = 0; i < frame; i++) {
      String type = stack[i].getClassName();
      wasCaught |= type.endsWith("netty.channel.AbstractChannelHandlerContext");
      wasCaught &= !type.endsWith("netty.channel.embedded.EmbeddedChannel");
    }
    return wasCaught;
  }

  private boolean isOfSameBuffer(ThrownMisuse other) {
    TrackedBuffer mine = buffer.get();
    return mine != null && mine == other.buffer.get();
  }

  private boolean isInSameStay(ThrownMisuse other) {
    if (during == null || other.during == null) {
      return during == other.during;
    }
    return during.get() == other.during.get();
  }

  /** Whether its thread had left the method with that many frames below it to catch it. */
  private boolean wasCaughtBelow(int frames) {
    synchronized (counts) {
      return framesBelow < frames;
    }
  }

  /**
   * Takes it out of the counts while it is caught, with all of the same failure.
   *
   * @param below how many frames are below the method that has it
   */
  void setCaught(boolean now, int below) {
    synchronized (counts) {
      for (ThrownMisuse each : failure) {
        asked.remove(each);
        each.set(now);
      }
      if (now) {
        setFramesBelow(below);
      }
    }
  }

  /** As if caught, until the work in its scope has failed. */
  void setAsked(int below) {
    synchronized (counts) {
      for (ThrownMisuse each : failure) {
        if (!each.caught && asked.size() < MAX_ASKED) {
          asked.add(each);
        }
        each.set(true);
      }
      setFramesBelow(below);
    }
  }

  /**
   * The work in the scope has failed, perhaps by the answer to what it asked, which does not say
   * why.
   */
  static void failed(MisuseCounts counts, List<ThrownMisuse> asked) {
    synchronized (counts) {
      for (ThrownMisuse each : asked) {
        each.set(false);
      }
      asked.clear();
    }
  }

  /** Under the lock of the counts. */
  private void setFramesBelow(int below) {
    if (thread == Thread.currentThread().getId()) {
      for (ThrownMisuse each : failure) {
        each.framesBelow = Math.min(each.framesBelow, below);
      }
    }
  }

  /** Under the lock of the counts. */
  private void set(boolean now) {
    if (now && !caught) {
      counts.remove(key);
    } else if (!now && caught) {
      counts.add(key, earlier, null, stack);
    }
    caught = now;
  }
}
