package org.buftrail.flow;

import org.jspecify.annotations.Nullable;

/**
 * How to ask buffers of a Netty that was loaded before the agent, and so could not be given {@link
 * Trail} as superclass.
 *
 * <p>Implemented by the agent, which can look Netty's classes up. Thread-safe. Methods may throw;
 * that is counted as an error of the tracker.
 */
public abstract class Foreign {
  /** For the agent's subclass. */
  protected Foreign() {}

  /**
   * The buffer whose count {@code object} shares, or null when it is no counting buffer of this
   * Netty.
   */
  public abstract @Nullable Object owner(Object object);

  /** What a message holds when it is a holder of this Netty that is not released, else null. */
  public abstract @Nullable Object content(Object object);

  /** The reference count of an {@link #owner}. */
  public abstract int refCnt(Object owner);

  /** The capacity of an {@link #owner}. */
  public abstract int capacity(Object owner);

  /** Whether an {@link #owner} that is alive lies outside the heap. */
  public abstract boolean isDirect(Object owner);

  /** What {@link Trail#buftrail$needsRelease()} says, of an {@link #owner} that is alive. */
  public boolean needsRelease(Object owner) {
    return true;
  }
}
