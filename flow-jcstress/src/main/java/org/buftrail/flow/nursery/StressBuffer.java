package org.buftrail.flow.nursery;

import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Buffers;
import org.jspecify.annotations.Nullable;

/**
 * A buffer whose asked-for capacities are counted, since each counted release asks once. One that
 * is sampled asks once more, which does not count.
 */
public final class StressBuffer extends TrackedBuffer {
  private static final StackWalker WALKER = StackWalker.getInstance();

  private volatile int count = 1;
  private volatile int asked;

  /** The tenured flow that a sweep has found. Guarded by the nursery's monitor, as the next is. */
  @Nullable TenuredFlow handed;

  /** Whether a sweep had a reason to remove it. */
  boolean isPutRight;

  /** Sets the count to 0 and reports it, as woven code does. */
  void release() {
    count = 0;
    Buffers.released(this, true);
  }

  int asked() {
    return asked;
  }

  boolean isAtEnd() {
    return FlowState.ending(this) != null;
  }

  /** Where the flow is: the name of the site, with a note when no tenured flow knows it. */
  String place() {
    Object at = FlowState.stateOpaque(this);
    if (at instanceof TenuredFlow) {
      return Sites.get(((TenuredFlow) at).node.site()).hop();
    }
    return at + " without a tenured flow";
  }

  @Override
  public int refCnt() {
    return count;
  }

  @Override
  public synchronized int capacity() {
    if (asked == 0 || !isForSample()) {
      asked++;
    }
    return 1;
  }

  private static boolean isForSample() {
    return WALKER.walk(frames -> frames.anyMatch(StressBuffer::isSample));
  }

  private static boolean isSample(StackWalker.StackFrame frame) {
    return frame.getMethodName().equals("sample") && frame.getClassName().endsWith(".Releases");
  }

  @Override
  public boolean isDirect() {
    return true;
  }

  @Override
  public @Nullable TrackedBuffer buftrail$owner() {
    return this;
  }
}
