package org.buftrail.flow.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.buftrail.flow.base.ForceInline;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the state and the stamp of a buffer, and says what follows from them.
 *
 * <p>Not in {@link Trail} itself, since every member that other packages see there is a member of
 * Netty's {@code ByteBuf} too, where it may meet one of the same name.
 */
public final class FlowState {
  private static final VarHandle STATE;
  private static final VarHandle STAMP;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Trail.class, "state", Object.class);
      STAMP = lookup.findVarHandle(Trail.class, "stamp", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private FlowState() {}

  /** The key of the node that a hop at a site leads to: the site and how often it is counted. */
  @ForceInline
  public static int key(Trail buffer, int site) {
    int count = buffer.refCnt();
    return site << 2 | (count <= 2 ? (count <= 0 ? 0 : 1) : count <= 5 ? 2 : 3);
  }

  public static boolean isAtRoot(Trail buffer) {
    Object at = buffer.state;
    return at instanceof Node
        ? ((Node) at).isRoot()
        : at instanceof TenuredFlow && ((TenuredFlow) at).node.isRoot();
  }

  /** Where the last life ended, or null when one is under way, or none ever was. */
  public static @Nullable Node ending(Trail buffer) {
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
  public static int bytes(Trail buffer, int stamp) {
    return Stamp.isWeightless(stamp) ? 0 : buffer.capacity();
  }

  /** The same of the present life; 0 of a composite that throws since its owner is changing it. */
  public static int bytes(Trail buffer) {
    try {
      return bytes(buffer, stampOpaque(buffer));
    } catch (RuntimeException e) {
      return 0;
    }
  }

  /** Whether the count is above 0. A composite that throws as above is not released. */
  public static boolean isHeld(Trail buffer) {
    try {
      return buffer.refCnt() > 0;
    } catch (RuntimeException e) {
      return true;
    }
  }

  public static @Nullable Object state(Trail buffer) {
    return buffer.state;
  }

  public static void setState(Trail buffer, @Nullable Object value) {
    buffer.state = value;
  }

  public static int stamp(Trail buffer) {
    return buffer.stamp;
  }

  public static void setStamp(Trail buffer, int value) {
    buffer.stamp = value;
  }

  public static boolean compareAndSetState(
      Trail buffer, @Nullable Object expected, @Nullable Object value) {
    return STATE.compareAndSet(buffer, expected, value);
  }

  public static boolean compareAndSetStamp(Trail buffer, int expected, int value) {
    return STAMP.compareAndSet(buffer, expected, value);
  }

  /** Ordered before every later {@link #stampOpaque} of this thread as the compiler sees it. */
  public static void setStateOpaque(Trail buffer, @Nullable Object value) {
    STATE.setOpaque(buffer, value);
  }

  /** Ordered behind every earlier store of this thread. */
  public static void setStampRelease(Trail buffer, int value) {
    STAMP.setRelease(buffer, value);
  }

  public static @Nullable Object stateOpaque(Trail buffer) {
    return STATE.getOpaque(buffer);
  }

  public static int stampOpaque(Trail buffer) {
    return (int) STAMP.getOpaque(buffer);
  }
}
