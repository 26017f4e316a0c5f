package org.buftrail.flow.state;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * How to ask buffers that have no {@link TrackedBuffer} as superclass: those of a Netty that was
 * loaded before the agent, and those of other libraries.
 *
 * <p>Implemented by the agent, which can look their classes up. Thread-safe. Methods may throw;
 * that is counted as an error of the tracker.
 */
public abstract class BufferAccess {
  /** For all of whom it asks, lest they keep the classes alive that it knows. */
  @SuppressWarnings("this-escape") // nobody has it before the subclass is complete
  final WeakReference<BufferAccess> weak = new WeakReference<>(this);

  /** For the agent's subclass. */
  protected BufferAccess() {}

  /** Whether it asks a type of resource, which is no buffer of any Netty. */
  boolean isResource() {
    return false;
  }

  /** Whether objects of a type of resource have anything to say of themselves. */
  boolean isAsked() {
    return false;
  }

  /**
   * How many hold a resource, or -1 when it cannot say.
   *
   * @param opening whether it may be half built
   */
  int count(Object resource, boolean opening) {
    return 1;
  }

  /** How large a resource is, or -1 when it cannot say. */
  int bytes(Object resource, boolean opening) {
    return -1;
  }

  /** A class for as long as which it is kept: as a rule the one that all its buffers extend. */
  public abstract Class<?> type();

  /**
   * Whether these buffers are followed less exactly than they would be, had the agent come before
   * their classes.
   */
  public boolean isLessExact() {
    return true;
  }

  /** Whether an {@link #owner} has one life only, so that nothing is kept of it after its end. */
  public boolean isUsedOnce() {
    return false;
  }

  /** Whether objects of a class are buffers or holders of this kind, or count for such. */
  public abstract boolean covers(Class<?> c);

  /** What counts for {@code object}, as a buffer does for its views; null for none of this kind. */
  public abstract @Nullable Object owner(Object object);

  /** The content of a message if it is an unreleased holder of this kind, else null. */
  public abstract @Nullable Object content(Object object);

  /** The reference count of an {@link #owner}. */
  public abstract int refCnt(Object owner);

  /** The capacity of an {@link #owner}, or -1 where it cannot say. */
  public abstract int capacity(Object owner);

  /** Whether an {@link #owner} that is alive lies outside the heap. */
  public abstract boolean isDirect(Object owner);

  /** Whether an {@link #owner} is made of other buffers, and has no memory of its own. */
  public boolean isComposite(Object owner) {
    return false;
  }

  /** The owners of what a composite is made of; unused places are null. */
  public @Nullable Object[] components(Object composite) {
    return new Object[0];
  }

  /** The owner of what a component of a composite has, or null. */
  public @Nullable Object source(Object component) {
    return null;
  }

  /** The owner that a derived one with a count of its own keeps alive, or null. */
  public @Nullable Object parent(Object owner) {
    return null;
  }

  /**
   * What {@link TrackedBuffer#buftrail$needsRelease()} says, of an {@link #owner} that is alive.
   */
  public boolean needsRelease(Object owner) {
    return true;
  }
}
