package org.buftrail.flow.state;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.buftrail.flow.base.FullCollections;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * A flow outside the nursery: it outlived its ring, or its buffer is large. Knows the node after
 * the buffer itself is gone.
 *
 * <p>72 bytes with compressed oops, and 4 in the table of tenured flows. The life of a tenured flow
 * is described in {@code Nursery}.
 */
public final class TenuredFlow extends WeakReference<TrackedBuffer> implements Holder {
  /** Not collected yet, or not counted as collected. */
  public static final byte UNTOLD = 0;

  /** Counted for itself: as leaked or dropped. */
  public static final byte ALONE = 1;

  /** Counted as what a leak held. */
  public static final byte HELD = 2;

  private static final int MAX_NESTING = 16;

  /** Not in the table yet, or no longer. */
  public static final int NOWHERE = -1;

  private static final VarHandle ENDED;

  /** {@code Reference.refersTo}, which does not keep the referent alive; null before JDK 16. */
  private static final @Nullable MethodHandle REFERS_TO = refersTo();

  static {
    try {
      ENDED = MethodHandles.lookup().findVarHandle(TenuredFlow.class, "ended", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Written by whichever thread moves the buffer; the last write wins, as it does for a node. */
  public Node node;

  /** Holds the buffer until the promotion is known to have held; emptied by a release. */
  public @Nullable TrackedBuffer strong;

  /** Link of the one queue that it is in. */
  public @Nullable TenuredFlow next;

  /** Place in the table of tenured flows. Written by the sweeper. */
  public volatile int index = NOWHERE;

  /** Set once, by the release. Says more than {@link #node}, which a late hop may move on. */
  public volatile boolean ended;

  /** Whether it was collected before it came into the table. Sweeper only. */
  public boolean gone;

  /** Of {@link #checked}: the count was 0 at the last look. */
  public static final byte AT_ZERO = -1;

  /** Of {@link #checked}: so many sweeps are enough to believe it. */
  public static final byte SETTLED = 2;

  /** Sweeps that found the promotion in place, or {@link #AT_ZERO}. */
  public byte checked;

  /** The bytes it counts for, when last looked at. */
  public int bytes;

  /** Whether its buffer is wrapped as unreleasable: until it is released, it is nobody's. */
  public volatile boolean kept;

  /** How it has been counted: {@link #UNTOLD} or one of the next two. Sweeper only. */
  public byte told;

  /** The buffer that a derived one keeps alive. Sweeper only. */
  public @Nullable TenuredFlow keeps;

  /**
   * What holds this buffer: a composite that alone does (see {@link Holdings}), or a derived buffer
   * that was lost.
   */
  volatile @Nullable Holder holder;

  /** Whether to drop it is a leak: see {@link Holdings}. Only ever set. */
  public boolean needsRelease;

  /** Whether a composite is among those to be examined. */
  volatile boolean changed;

  /** Whether it stands for a buffer that has its state in the map. */
  private final boolean isOfSideTable;

  /** Whether its buffer is made of others. */
  private final boolean isComposite;

  /** Id of the node where the object's life before ended, or 0: see {@link Node#after}. */
  public int before;

  /** Of {@link FullCollections}, when it let go of its buffer. Sweeper only. */
  public short generation;

  /** When the flow began, about, in ticks of {@link Ticks}. */
  public int born;

  /**
   * @param needsRelease what {@link Holdings#needsRelease} says
   */
  public TenuredFlow(
      TrackedBuffer buffer,
      ReferenceQueue<TrackedBuffer> collected,
      Node node,
      int born,
      boolean needsRelease) {
    super(buffer, collected);
    this.strong = buffer;
    this.node = node;
    this.born = born;
    this.isOfSideTable = buffer instanceof SideState;
    this.isComposite = node.isComposite() && Holdings.isComposite(buffer);
    this.needsRelease = needsRelease;
  }

  /** Whether it is there for a composite that it moved with: see {@link Holdings#isPart}. */
  public boolean isPart() {
    return node.isComposite() && !isComposite;
  }

  /** Whether its buffer is there no more. Sweeper only. */
  public boolean isGone() {
    return isOfSideTable ? isCollected() : get() == null;
  }

  private static @Nullable MethodHandle refersTo() {
    try {
      MethodType type = MethodType.methodType(boolean.class, Object.class);
      return MethodHandles.lookup().findVirtual(Reference.class, "refersTo", type);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /**
   * Whether the buffer is known to be collected, before the queue has it. On older JVMs only the
   * queue does: asking for the buffer would keep it alive through the marking under way.
   */
  public boolean isCollected() {
    if (isOfSideTable) {
      TrackedBuffer side = get();
      // A flow that a late hop has overwritten looks like a leaked one before the straggler is
      // seen.
      return side == null || (FlowState.stateOpaque(side) == this && ((SideState) side).isGone());
    }
    MethodHandle refersTo = REFERS_TO;
    if (refersTo == null) {
      return isEnqueued();
    }
    try {
      return (boolean) refersTo.invokeExact((Reference<?>) this, (Object) null);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * For use when no collection is under way, as a rule: then asking for the buffer delays nothing,
   * and need not wait for the queue.
   */
  public boolean isCleared() {
    return (isOfSideTable || REFERS_TO != null) ? isCollected() : get() == null;
  }

  /** Whether the life of {@code buffer}, whose state this is, has ended. */
  public boolean isOver(TrackedBuffer buffer) {
    return ended || Stamp.isEnded(FlowState.stampOpaque(buffer));
  }

  /** Whether a life of {@code buffer} is under way and this is its tenured flow. */
  public boolean isOfLifeOf(TrackedBuffer buffer) {
    return !isOver(buffer) && FlowState.stateOpaque(buffer) == this && FlowState.isHeld(buffer);
  }

  /**
   * The release came between the two steps of the promotion. Back to the node, which is where a
   * release leaves the state; and where a life that begins there has put it, when the promotion's
   * second step came between the two of that. Sweeper only.
   */
  public void undo(TrackedBuffer buffer) {
    FlowState.compareAndSetState(buffer, this, node);
    strong = null;
  }

  public boolean isEnded() {
    return ended;
  }

  /** Where it was collected unreleased, if that is a leak. */
  @Override
  public @Nullable Node lostAt() {
    return !ended && !kept && needsRelease && (told != UNTOLD || isGone()) ? node : null;
  }

  @Override
  public @Nullable Holder holder() {
    return holder;
  }

  /** A derived buffer was lost that keeps this one alive, so that it can only be lost too. */
  public void holdBy(TenuredFlow derived) {
    holder = derived;
  }

  /** A composite gives this buffer up. */
  void leaveHolder() {
    Holder by = holder;
    if (by != null && by.lostAt() == null) {
      holder = null;
    }
  }

  /** Where the outermost buffer was lost that held this one, which was collected; or null. */
  public @Nullable Node holderLostAt() {
    Node outermost = null;
    Holder by = holder;
    for (int i = 0; i < MAX_NESTING && by != null; i++) {
      Node at = by.lostAt();
      if (at == null) {
        break;
      }
      outermost = at;
      by = by.holder();
    }
    return outermost;
  }

  /** Returns whether this call ended it: the caller that gets true counts it. */
  public boolean markEnded() {
    if (ENDED.compareAndSet(this, false, true)) {
      strong = null;
      return true;
    }
    return false;
  }
}
