package org.buftrail.flow.state;

import java.lang.ref.WeakReference;
import org.buftrail.flow.tree.Node;
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

  /** Asked while the buffer is at hand. A composite needs one once a component does. */
  private volatile boolean needsRelease;

  private final boolean isComposite;

  /** Itself, for its components; null for what has none. */
  private volatile @Nullable SideHolder asHolder;

  /** The composite that it is a component of. */
  private volatile @Nullable Holder holder;

  /** Where its flow was before it joined that; null while it was not moved. */
  public @Nullable Node own;

  /** What a derived buffer keeps alive. */
  private volatile @Nullable SideState parent;

  /**
   * @param capacity what it is now, for when the buffer is gone before anybody asks again
   * @param needsRelease see {@link TrackedBuffer#buftrail$needsRelease}
   */
  SideState(
      BufferAccess foreign,
      WeakReference<Object> buffer,
      int capacity,
      boolean needsRelease,
      boolean isComposite) {
    this.isComposite = isComposite;
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

  /** Whether it stands for a buffer that is made of others. */
  public boolean isComposite() {
    return isComposite;
  }

  /** Lets go of what is known of the life before. */
  void beginAnew() {
    holder = null;
    parent = null;
    own = null;
    asHolder = null;
  }

  public void setParent(SideState kept) {
    parent = kept;
  }

  /** A composite takes this buffer in. The composite's thread. */
  public void join(SideState composite) {
    SideHolder taker = composite.asHolder();
    holder = taker;
    TenuredFlow tenured = tenured();
    if (tenured != null) {
      tenured.holder = taker;
    }
    if (needsRelease) {
      composite.needRelease();
    }
  }

  /** The composite gives it up. Where it was before, null if it stayed. The composite's thread. */
  public @Nullable Node leave() {
    holder = null;
    TenuredFlow tenured = tenured();
    if (tenured != null) {
      tenured.leaveHolder();
    }
    Node before = own;
    own = null;
    return before;
  }

  /** After the field was set that {@link #promotedTo} reads: one of the two finds the other. */
  private @Nullable TenuredFlow tenured() {
    Object at = FlowState.stateVolatile(this);
    return at instanceof TenuredFlow ? (TenuredFlow) at : null;
  }

  /** Something is lost with it from now on. */
  public void needRelease() {
    needsRelease = true;
    TenuredFlow tenured = tenured();
    if (tenured != null) {
      tenured.needsRelease = true;
    }
  }

  private SideHolder asHolder() {
    SideHolder known = asHolder;
    if (known == null) {
      known = new SideHolder(this);
      asHolder = known;
      TenuredFlow tenured = tenured();
      if (tenured != null) {
        known.tenured = tenured;
      }
    }
    return known;
  }

  /** Its state is this from now on. A composite may take it in, or give it up, meanwhile. */
  public void promotedTo(TenuredFlow tenured) {
    Holder now;
    do {
      now = holder;
      tenured.holder = now;
    } while (holder != now);
    if (needsRelease) {
      tenured.needsRelease = true;
    }
    SideHolder known = asHolder;
    if (known != null) {
      known.tenured = tenured;
    }
  }

  @Nullable Holder holder() {
    return holder;
  }

  public boolean isOf(BufferAccess asked) {
    return asked.weak == foreign;
  }

  /**
   * Asks a resource for its description now, for later use: a later reader may hold locks of the
   * tracker, and the application, which answers, may want them.
   *
   * <p>The caller has no lock of the tracker. An unknown count stays as it was.
   *
   * @param opening whether it may be half built
   * @return how many hold it, -1 when that is not known
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

  /** Called when a holder has let go without saying so. Returns about how many are left. */
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

  @Override
  public @Nullable TrackedBuffer buftrail$parent() {
    return parent;
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
