package org.buftrail.flow.state;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import org.buftrail.flow.base.TrackerLog;
import org.buftrail.flow.base.WeakIdentityMap;
import org.jspecify.annotations.Nullable;

/**
 * The fallback where state cannot sit in the buffer: a bounded map by identity that does not keep
 * buffers alive.
 *
 * <p>Thread-safe. Some 150 bytes a buffer. When {@link #MAX} are held, further buffers go untracked
 * and that is logged once.
 */
public final class SideTable {
  static final int MAX = 1 << 20;

  private final WeakIdentityMap<SideState> byBuffer = new WeakIdentityMap<>();

  /**
   * At least as many as there are. The map's own sum may be 0 while one is there and others come
   * and go: it reads its cells one after the other.
   */
  private final AtomicInteger held = new AtomicInteger();

  /** Null when there is no buffer that has not its state in itself. */
  private @Nullable BufferAccessTypes foreign;

  private boolean fullSaid;

  public synchronized void add(BufferAccess more) {
    foreign = new BufferAccessTypes(foreign, more);
  }

  /** Buffers are no longer followed here. */
  public synchronized void forgetBufferAccess() {
    foreign = null;
  }

  /** Lets go of everything that is known of any object. */
  public void clear() {
    held.addAndGet(-byBuffer.clear());
  }

  /** Whether some are followed less exactly, since they were loaded before. */
  public boolean areLessExact() {
    BufferAccessTypes types = foreign;
    return types != null && types.areLessExact();
  }

  /** How to ask an object, or null for one that has its state in itself, or none. */
  private @Nullable BufferAccess of(@Nullable Object object) {
    BufferAccessTypes types = foreign;
    return types == null || object == null ? null : types.get(object.getClass());
  }

  /** Like the private one, where there is no state. */
  public @Nullable BufferAccess accessOf(@Nullable Object object) {
    return isEmpty() ? null : of(object);
  }

  /** Whether an object may have a state here itself, and is no message that holds such a one. */
  public boolean isFollowed(Object object) {
    BufferAccess how = of(object);
    return how != null && how.type().isInstance(object);
  }

  /** The state of a buffer, or of what a message holds, if it is tracked. */
  public @Nullable TrackedBuffer find(@Nullable Object message) {
    BufferAccess how = foreign == null || isEmpty() ? null : of(message);
    if (how == null || message == null) {
      return null;
    }
    Object owner = how.owner(message);
    if (owner == null) {
      Object content = how.content(message);
      owner = content == null ? null : how.owner(content);
    }
    return owner == null ? null : get(owner);
  }

  /** The state of a buffer, made if there is none. */
  public @Nullable TrackedBuffer adopt(@Nullable Object buffer) {
    BufferAccess how = of(buffer);
    Object owner = how == null || buffer == null ? null : how.owner(buffer);
    return how == null || owner == null ? null : adopt(how, owner);
  }

  /** Like the other form, for an object whose access is known. */
  public @Nullable SideState adopt(BufferAccess foreign, Object owner) {
    SideState known = get(owner);
    if (known == null) {
      return make(foreign, owner);
    }
    if (FlowState.state(known) == null || Stamp.isEnded(FlowState.stamp(known))) {
      known.beginAnew();
    }
    // For the life that may begin, should the object be collected before it is asked again. A
    // resource is asked by who opens it.
    known.capacity();
    return known;
  }

  /** The state of exactly this object, if it is tracked. */
  public @Nullable SideState get(Object owner) {
    return byBuffer.get(owner);
  }

  /** Lets go of an object that is done with. Whether this call did. */
  public boolean remove(Object owner, SideState side) {
    boolean removed = byBuffer.remove(owner, side);
    if (removed) {
      held.decrementAndGet();
    }
    return removed;
  }

  /** The life of a buffer has ended. Removes the entry of a buffer that has no other life. */
  public void noteEnded(TrackedBuffer state) {
    if (state instanceof SideState && ((SideState) state).isUsedOnce) {
      SideState side = (SideState) state;
      Object owner = side.owner();
      if (owner != null) {
        remove(owner, side);
      }
    }
  }

  public boolean isEmpty() {
    return held.get() == 0;
  }

  private @Nullable SideState make(BufferAccess foreign, Object owner) {
    if (byBuffer.size() >= MAX) {
      if (!fullSaid) {
        fullSaid = true;
        TrackerLog.add("more than " + MAX + " buffers or resources at once: some are not followed");
      }
      return null;
    }
    WeakReference<Object> entry = byBuffer.key(owner);
    SideState side =
        new SideState(
            foreign,
            entry,
            foreign.capacity(owner),
            foreign.needsRelease(owner),
            foreign.isComposite(owner));
    held.incrementAndGet();
    SideState other = byBuffer.putIfAbsent(entry, side);
    if (other == null) {
      return side;
    }
    held.decrementAndGet();
    return other;
  }

  /** Lets go of what was collected. For the sweeper alone: {@link WeakIdentityMap#expunge}. */
  public void expunge() {
    held.addAndGet(-byBuffer.expunge());
  }
}
