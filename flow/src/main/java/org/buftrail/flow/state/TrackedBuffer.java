package org.buftrail.flow.state;

import org.jspecify.annotations.Nullable;

/**
 * The tracker's state inside a buffer.
 *
 * <p>As Netty's {@code ByteBuf} loads, the agent makes this class its superclass, so that every
 * buffer carries one reference and one int, a test for "is it a buffer" is one comparison, and the
 * runtime on the bootstrap loader can ask a buffer for its count and capacity without knowing
 * Netty. The abstract methods are ones that {@code ByteBuf} has anyway.
 *
 * <p>{@code state} says where the flow is:
 *
 * <pre>
 *   null         not in a flow (never was, sampling passed over it, or a view: see {@link
 *                #buftrail$owner()})
 *   Node         in the nursery, at that node; or ended there, when the stamp says that it is over
 *   TenuredFlow  outlived the nursery; it knows the node, the stamp whether it is over
 * </pre>
 *
 * <p>{@code stamp} tells one life from the next, and where the flow is: see {@link Stamp}. Who may
 * write what is said in {@code Nursery}. {@link FlowState} reads and writes both.
 */
public abstract class TrackedBuffer {
  @Nullable Object state;

  /** Public for a handler that may have no stack for a call; and so with a name of its own. */
  public int buftrail$stamp;

  /** For the class that is given this superclass. */
  protected TrackedBuffer() {}

  /** The reference count; 0 when released. Never throws in Netty's classes. */
  public abstract int refCnt();

  /** The capacity in bytes. */
  public abstract int capacity();

  /** Whether the memory is outside the heap. May throw on a released buffer. */
  public abstract boolean isDirect();

  /**
   * The buffer whose count this one shares: itself where it counts, one step nearer to it for a
   * view, null where nothing is counted or no field says so. Overridden by woven code.
   */
  public @Nullable TrackedBuffer buftrail$owner() {
    return null;
  }

  /**
   * The buffer that a derived one with a count of its own keeps alive, or null. Overridden by woven
   * code.
   */
  public @Nullable TrackedBuffer buftrail$parent() {
    return null;
  }

  /**
   * Whether something is lost when the buffer is dropped unreleased: a pool runs dry, or memory
   * outside the heap waits for a collection, or is lost for good. Not so where the collector frees
   * all there is, and where the memory belongs to other code. For a composite this is about itself,
   * without what it is made of. Reads a field at most. Overridden by woven code.
   */
  public boolean buftrail$needsRelease() {
    return true;
  }

  /**
   * Whether the memory stays with a pool when the buffer itself is collected. Then to hold the
   * buffer keeps no more than the object. Overridden by woven code.
   */
  public boolean buftrail$isPooled() {
    return false;
  }

  /** The components of a composite, unused places null; null for any other buffer. Woven too. */
  public @Nullable Object @Nullable [] buftrail$components() {
    return null;
  }
}
