package org.buftrail.flow.state;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Carries the state of a buffer that has no place for it.
 *
 * <p>Held by {@link SideTable} for as long as the buffer lives, so its own collection reports the
 * buffer's.
 */
public final class SideState extends TrackedBuffer {
  /** Weak, since a buffer that a pool keeps lives as long as its classes do. */
  private final WeakReference<BufferAccess> foreign;

  private final boolean isResource;

  /** See {@link BufferAccess#isUsedOnce}. */
  final boolean isUsedOnce;

  private final WeakReference<Object> buffer;
  private volatile int lastCapacity;

  /** Holders of a resource when it was last asked; 1 for one that cannot be asked. */
  private volatile int holders = 1;

  /** In effect a property of the class: asked while the buffer is at hand. */
  private final boolean needsRelease;

  /**
   * @param capacity what it is now, for when the buffer is gone before anybody asks again
   * @param needsRelease see {@link TrackedBuffer#buftrail$needsRelease}
   */
  SideState(
      BufferAccess foreign, WeakReference<Object> buffer, int capacity, boolean needsRelease) {
    this.foreign = foreign.weak;
    this.isResource = foreign.isResource();
    this.isUsedOnce = foreign.isUsedOnce();
    this.needsRelease = needsRelease;
    this.buffer = buffer;
    this.lastCapacity = Math.max(0, capacity);
  }

  /** The object that it is the state of, or null once that was collected. */
  public @Nullable Object owner() {
    return buffer.get();
  }

  /** Whether the buffer has been collected, so that no thread has it any more. */
  public boolean isGone() {
    return buffer.get() == null;
  }

  public boolean isOfResource() {
    return isResource;
  }

  public boolean isOf(BufferAccess asked) {
    return asked.weak == foreign;
  }

  /**
   * Asks a resource for its description now, for later use: a later reader may hold locks of the
   * tracker, and the application, which answers, may want them.
   *
   * <p>The caller has no lock of the tracker. What cannot be told stays as it was.
   *
   * @param opening whether it may be half built
   * @return how many hold it, -1 when that cannot be told
   */
  public int ask(Object resource, boolean opening) {
    BufferAccess type = foreign.get();
    if (type == null || !isResource) {
      return holders;
    }
    int count = type.count(resource, opening);
    if (opening) {
      // The opener holds it, even if the constructor that sets the count has not run yet.
      holders = Math.max(1, count < 0 ? holders : count);
    } else if (count >= 0) {
      holders = count;
    }
    // What nobody holds any more may be unable to say how large it was.
    int bytes = count == 0 && !opening ? -1 : type.bytes(resource, opening);
    if (bytes >= 0) {
      lastCapacity = bytes;
    }
    return count;
  }

  /** Whether {@link #ask} has anything to ask. */
  public boolean isAsked() {
    BufferAccess type = foreign.get();
    return type != null && type.isAsked();
  }

  /** One of its holders has let go, though it cannot say so. How many are left, about. */
  int loseHolder() {
    int left = Math.max(0, holders - 1);
    holders = left;
    return left;
  }

  @Override
  public int refCnt() {
    if (isResource) {
      return holders;
    }
    Object alive = buffer.get();
    BufferAccess how = foreign.get();
    return alive == null || how == null ? 1 : how.refCnt(alive);
  }

  @Override
  public int capacity() {
    if (isResource) {
      return lastCapacity;
    }
    Object alive = buffer.get();
    BufferAccess how = foreign.get();
    if (alive != null && how != null) {
      int now = how.capacity(alive);
      lastCapacity = now < 0 ? lastCapacity : now;
    }
    return lastCapacity;
  }

  @Override
  public boolean isDirect() {
    Object alive = buffer.get();
    BufferAccess how = foreign.get();
    return alive != null && how != null && how.isDirect(alive);
  }

  /** The buffers that a composite is made of; null for any other buffer, and once it is gone. */
  public @Nullable Object @Nullable [] components() {
    Object alive = buffer.get();
    BufferAccess how = foreign.get();
    return alive == null || how == null ? null : how.components(alive);
  }

  @Override
  public boolean buftrail$needsRelease() {
    return needsRelease;
  }

  /** To hold it does not hold what it stands for. */
  @Override
  public boolean buftrail$isPooled() {
    return true;
  }

  @Override
  public @Nullable TrackedBuffer buftrail$owner() {
    return this;
  }
}
