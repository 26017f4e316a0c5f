package org.buftrail.flow.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.buftrail.flow.base.ForceInline;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the state and the stamp of a buffer, and says what follows from them.
 *
 * <p>Not in {@link TrackedBuffer} itself, since every member that other packages see there is a
 * member of Netty's {@code ByteBuf} too, where it may meet one of the same name.
 */
public final class FlowState {
  private static final VarHandle STATE;
  private static final VarHandle STAMP;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(TrackedBuffer.class, "state", Object.class);
      STAMP = lookup.findVarHandle(TrackedBuffer.class, "buftrail$stamp", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private FlowState() {}

  /** The key of the node that a hop at a site leads to: the site and how often it is counted. */
  @ForceInline
  public static int key(TrackedBuffer buffer, int site) {
    int count = buffer.refCnt();
    return site << 2 | (count <= 2 ? (count <= 0 ? 0 : 1) : count <= 5 ? 2 : 3);
  }

  public static boolean isAtRoot(TrackedBuffer buffer) {
    Object at = buffer.state;
    return at instanceof Node
        ? ((Node) at).isRoot()
        : at instanceof TenuredFlow && ((TenuredFlow) at).node.isRoot();
  }

  /** Where the last life ended, or null when one is under way, or none ever was. */
  public static @Nullable Node ending(TrackedBuffer buffer) {
    Object at = stateOpaque(buffer);
    boolean over = Stamp.isEnded(stampOpaque(buffer));
    if (at instanceof Node) {
      Node node = (Node) at;
      return node.isEnd() ? node : over ? node.end() : null;
    }
    // A promotion that met the release, until the sweeper has looked again.
    return over && at instanceof TenuredFlow ? ((TenuredFlow) at).node.end() : null;
  }

  /** The bytes that this life counts for. */
  public static int bytes(TrackedBuffer buffer, int stamp) {
    return Stamp.isWeightless(stamp) ? 0 : buffer.capacity();
  }

  /**
   * The bytes of the present life; 0 for a composite that throws because its owner is changing it.
   */
  public static int bytes(TrackedBuffer buffer) {
    try {
      return bytes(buffer, stampOpaque(buffer));
    } catch (RuntimeException e) {
      return 0;
    }
  }

  /** Whether the count is above 0. A composite that throws as above is not released. */
  public static boolean isHeld(TrackedBuffer buffer) {
    try {
      return buffer.refCnt() > 0;
    } catch (RuntimeException e) {
      return true;
    }
  }

  public static @Nullable Object state(TrackedBuffer buffer) {
    return buffer.state;
  }

  public static void setState(TrackedBuffer buffer, @Nullable Object value) {
    buffer.state = value;
  }

  public static int stamp(TrackedBuffer buffer) {
    return buffer.buftrail$stamp;
  }

  public static void setStamp(TrackedBuffer buffer, int value) {
    buffer.buftrail$stamp = value;
  }

  public static boolean compareAndSetState(
      TrackedBuffer buffer, @Nullable Object expected, @Nullable Object value) {
    return STATE.compareAndSet(buffer, expected, value);
  }

  public static boolean compareAndSetStamp(TrackedBuffer buffer, int expected, int value) {
    return STAMP.compareAndSet(buffer, expected, value);
  }

  /** Ordered before every later {@link #stampOpaque} of this thread as the compiler sees it. */
  public static void setStateOpaque(TrackedBuffer buffer, @Nullable Object value) {
    STATE.setOpaque(buffer, value);
  }

  /** Writes the stamp, ordered behind every earlier store of this thread. */
  public static void setStampRelease(TrackedBuffer buffer, int value) {
    STAMP.setRelease(buffer, value);
  }

  public static @Nullable Object stateOpaque(TrackedBuffer buffer) {
    return STATE.getOpaque(buffer);
  }

  /** Reads the state, ordered behind every earlier volatile access of this thread. */
  public static @Nullable Object stateVolatile(TrackedBuffer buffer) {
    return STATE.getVolatile(buffer);
  }

  /** Reads the stamp, ordered behind every earlier volatile access of this thread. */
  public static int stampVolatile(TrackedBuffer buffer) {
    return (int) STAMP.getVolatile(buffer);
  }

  public static int stampOpaque(TrackedBuffer buffer) {
    return (int) STAMP.getOpaque(buffer);
  }
}
