package org.buftrail.flow.nursery;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.buftrail.flow.base.Ticks;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.SampleStore;
import org.jspecify.annotations.Nullable;

/**
 * A ring of new buffers, and counts: what one thread writes without asking anybody.
 *
 * <p>A ring of a carrier is lent to the virtual threads that are mounted there, one at a time. A
 * ring without an owner is shared by those that have no other; its writers take its monitor. About
 * 6 KiB, and 16 bytes for each end that there is, at most 128 KiB.
 */
public final class ThreadRing extends RingSlots {
  /** Bits that are 0 in the slots, and so in the stamps, of lives that are sampled. */
  private static final int UNSAMPLED = SampleStore.EVERY - 1;

  /** Looks of one ring from one sweep to the next. */
  static final int MAX_LOOKS = 64;

  /** Slots in a row that are tried; where all are taken, the sweeper begins anew. */
  private static final int MARK_TRIES = 16;

  private static final VarHandle PUBLISHED = field("handed", TenuredFlow.class);
  private static final VarHandle ENDED = field("ended", TenuredFlow.class);
  private static final VarHandle LENT = field("lent", boolean.class);

  /**
   * Lives that took no slot, less slots that were taken for nothing, since the one before could not
   * be dealt with.
   */
  private long withoutSlot;

  /** Since {@link #taken}. */
  private int publishedCount;

  /** Set when the flows handed on have been taken. */
  private volatile boolean taken;

  /** How many tenured flows ended here. */
  private int tenuredEnded;

  /** The place in the list of the ring in which a life that another thread began was found last. */
  int source;

  /** Which allocation of the block is chosen. */
  private int chosenPlace;

  private int random = System.identityHashCode(this) | 1;

  @SuppressWarnings("UnusedVariable") // by LENT
  private boolean lent;

  /** Where lives in the scope of the owner begin. Owner only. */
  public final ScopedRoot scopedRoot = new ScopedRoot();

  /** Looks that may be taken before the next sweep. Written by the owner and the sweeper. */
  private int looksLeft;

  /** Messages to look for in the side table. Owner only. */
  public final LookUps lookUps = new LookUps();

  /** Of so many lives one is looked at, on the average. Written by the sweeper. */
  private int looksEvery = 1;

  /** Odd while the owner has taken out what was handed on. Written by the owner alone. */
  private volatile int drops;

  /** Tenured flows made here since the last sweep. */
  @SuppressWarnings("UnusedVariable") // by PUBLISHED
  private volatile @Nullable TenuredFlow handed;

  /** Tenured flows of the table that ended here since the last sweep. */
  @SuppressWarnings("UnusedVariable") // by ENDED
  private volatile @Nullable TenuredFlow ended;

  public ThreadRing(Nursery nursery, @Nullable Thread owner) {
    super(nursery, owner);
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(ThreadRing.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Takes the ring of a carrier for one operation, unless it is taken. Called only by a virtual
   * thread mounted there.
   *
   * <p>So no two ask at once, and a compare-and-set is not needed: between these two steps nothing
   * waits, so no other is mounted. One that was unmounted within its operation, for a monitor
   * perhaps, has the ring still when the next one asks, and may give it back on another carrier.
   */
  public boolean borrow() {
    if ((boolean) LENT.getAcquire(this)) {
      return false;
    }
    LENT.setOpaque(this, true);
    return true;
  }

  /** A thread without stack for this leaves the ring taken: then no thread writes there again. */
  public void giveBack() {
    LENT.setRelease(this, false);
  }

  boolean isShared() {
    return owner == null;
  }

  /**
   * Whether its thread has ended, so that nobody writes here any more: nor does a virtual thread
   * that began on this carrier and goes on elsewhere.
   */
  boolean isAbandoned() {
    return owner != null && !owner.isAlive() && !(boolean) LENT.getAcquire(this);
  }

  /**
   * Whether sampling passes over the next allocation. Owner only.
   *
   * <p>One in {@code sampling} allocations in a row is chosen, at a place that is drawn anew each
   * time, so that neither a rhythm of the application nor a short life of its threads favours any.
   */
  public boolean skips(int sampling) {
    if (placesLeft <= 0) {
      draw();
      placesLeft = sampling;
      chosenPlace = 1 + (int) (((random & 0xFFFF_FFFFL) * sampling) >>> 32);
    }
    return placesLeft-- != chosenPlace;
  }

  /** Like the unguarded form, on a ring that may be shared. Any thread. */
  boolean skipsGuarded(int sampling) {
    if (isShared()) {
      synchronized (this) {
        return skips(sampling);
      }
    }
    return skips(sampling);
  }

  /**
   * Begins a life of {@code buffer} at {@code node}. Owner only.
   *
   * @param weight 0, or {@link Stamp#WEIGHTLESS}
   */
  public void enter(TrackedBuffer buffer, Node node, int weight) {
    // A composite is charged for what it takes in, a derived buffer keeps what is its parent's.
    int bytes = weight != 0 || buffer instanceof SideState ? 0 : buffer.capacity();
    if (bytes > ByteBudget.LARGE) {
      enterWithoutSlot(buffer, node, weight, bytes);
      return;
    }
    int flags = buffer.buftrail$isPooled() ? weight | Stamp.POOLED : weight;
    int held = held(bytes, flags);
    int rest = left - held;
    left = rest;
    if (rest < floor && !findRoom(held)) {
      enterWithoutSlot(buffer, node, weight, bytes);
      return;
    }
    int slot = (int) next++ & mask;
    try {
      if ((slot & UNSAMPLED) == 0 || buffers[GUARD_REFERENCES + slot] != null) {
        slot = makeRoom(slot);
        node = looked(buffer, node);
      }
      TrackedBuffer[] buffers = this.buffers;
      Node before = ending(buffer);
      int stamp = Stamp.nextLife(FlowState.stamp(buffer), slot) | flags;
      if (before != null) {
        stamp |= Stamp.EARLIER;
        pasts[GUARD_LONGS + slot] = past(before, stamp);
      }
      // Until its stamp says so, nobody takes the life of a recycled object for one under way.
      FlowState.setStateOpaque(buffer, node);
      FlowState.setStampRelease(buffer, stamp);
      SLOTS.setRelease(buffers, GUARD_REFERENCES + slot, buffer);
    } catch (Throwable e) {
      // Any call may be out of stack, so none here: it has begun in whole, or not at all.
      FlowState.setStamp(buffer, (FlowState.stamp(buffer) & ~Stamp.SLOT_MASK) | Stamp.ENDED_SLOT);
      withoutSlot--;
      throw e;
    }
  }

  /** Where the life begins instead of {@code node}, if it is one to be looked at. Owner only. */
  private Node looked(TrackedBuffer buffer, Node node) {
    if (!looksNow) {
      return node;
    }
    looksNow = false;
    return look(buffer, node);
  }

  private Node look(TrackedBuffer buffer, Node node) {
    if (looksLeft <= 0) {
      return node;
    }
    if (--looksLeft > 0) {
      mark(next + drawn(looksEvery));
    }
    if (buffer instanceof SideState && !((SideState) buffer).isOfResource()) {
      lookUps.grant();
      nursery.tree.looks.noteForeign();
    }
    return nursery.tree.looks.look(node);
  }

  /** Has the life looked at that begins in a slot or, if something is there, soon after. */
  private void mark(long slot) {
    TrackedBuffer[] buffers = buffers();
    boolean marked = false;
    for (int i = 0; i < MARK_TRIES && !marked; i++) {
      int index = GUARD_REFERENCES + ((int) (slot + i) & mask(buffers));
      marked =
          SLOTS.compareAndSet(buffers, index, (TrackedBuffer) null, (TrackedBuffer) LookMark.MARK);
    }
  }

  /** A number below twice as many, so that no rhythm of the application favours any life. */
  private int drawn(int every) {
    if (every == 1) {
      return 0;
    }
    draw();
    return (int) (((random & 0xFFFF_FFFFL) * (2L * every - 1)) >>> 32);
  }

  private void draw() {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
  }

  /** Has the first lives of a new ring looked at. */
  void startLooks() {
    if (nursery.areLooksLeft()) {
      grantLooks(0, MAX_LOOKS);
    }
  }

  /** Has some of the lives looked at that begin until the next sweep. Sweeper only. */
  public void grantLooks(long entered, int looks) {
    looksEvery = (int) Math.max(1, Math.min((entered - swept) / looks, slots() / 2));
    looksLeft = looks;
    mark(entered + (entered & looksEvery - 1));
  }

  private static int held(int bytes, int stamp) {
    return ByteBudget.OBJECT + (Stamp.isPooled(stamp) ? 0 : bytes);
  }

  private static @Nullable Node ending(TrackedBuffer buffer) {
    Object former = FlowState.state(buffer);
    return former instanceof Node ? ((Node) former).ending() : null;
  }

  /**
   * Begins a life that is never held: it has a tenured flow from birth. No thread can store over
   * that, since nobody has the buffer yet, but for a hop of the object's life before, which finds
   * the mark.
   */
  private void enterWithoutSlot(TrackedBuffer buffer, Node from, int weight, int bytes) {
    Node node = look(buffer, from);
    TenuredFlow tenured = nursery.tenured(buffer, node, Ticks.now());
    Node before = ending(buffer);
    tenured.before = before == null ? 0 : before.id;
    tenured.bytes = weight != 0 ? 0 : bytes;
    tenured.strong = null;
    withoutSlot++;
    try {
      int stamp = Stamp.nextLife(FlowState.stamp(buffer), Stamp.TENURED_SLOT) | weight;
      FlowState.setStateOpaque(buffer, tenured);
      FlowState.setStampRelease(buffer, stamp);
      hand(tenured);
    } catch (Throwable e) {
      // As above.
      FlowState.setStamp(buffer, (FlowState.stamp(buffer) & ~Stamp.SLOT_MASK) | Stamp.ENDED_SLOT);
      withoutSlot--;
      throw e;
    }
    nursery.evictions.recheck(tenured, buffer);
  }

  /** Like the unguarded form, on a ring that may be shared. Any thread. */
  public void enterGuarded(TrackedBuffer buffer, Node node, int weight) {
    if (isShared()) {
      synchronized (this) {
        enter(buffer, node, weight);
      }
    } else {
      enter(buffer, node, weight);
    }
  }

  /**
   * Ends the life of {@code buffer}. Owner of the ring only.
   *
   * <p>The stamp alone says so, as a rule: to store a reference costs G1's barrier, which in an old
   * object is a fence, and the end of a life that is over follows from the node it was at.
   *
   * @param seen its stamp of a moment ago
   * @param end the end of the node, or the tenured flow, that is its state
   * @return the stamp that the life had
   */
  public int leave(TrackedBuffer buffer, int seen, Node end) {
    // First what may fail, or begin other lives: this one is counted and over, or neither.
    int bytes = FlowState.bytes(buffer, seen);
    TrackedBuffer[] buffers = this.buffers;
    int index = GUARD_REFERENCES + Stamp.slot(seen);
    boolean here = !Stamp.isMarked(seen) && index < buffers.length && buffers[index] == buffer;
    int before = here && Stamp.hasEarlier(seen) ? before(past(Stamp.slot(seen)), seen) : 0;
    boolean alike = before == end.id;
    Node other = alike || !Stamp.hasEarlier(seen) ? null : end.after(before);
    // The mark first: a reader that finds this flow counted, such as a census, must find it ended
    // too.
    int stamp = FlowState.stamp(buffer);
    FlowState.setStamp(
        buffer, (stamp & ~Stamp.SLOT_MASK) | (alike ? Stamp.ENDED_ALIKE_SLOT : Stamp.ENDED_SLOT));
    try {
      VarHandle.storeStoreFence();
      released.add(end.endId, bytes);
    } catch (Throwable e) {
      // No call here, for there may be no stack for one: not counted, so not over.
      FlowState.setStamp(buffer, stamp);
      throw e;
    }
    if (other != null) {
      // Also where the life before is not known here: for recall() to find.
      FlowState.setState(buffer, other);
    }
    if (here) {
      VarHandle.releaseFence();
      buffers[index] = null;
      if (Stamp.hasEarlier(seen)) {
        pasts[GUARD_LONGS + Stamp.slot(seen)] = 0;
      }
      // No more than all: it may have grown without anybody having said so.
      left += Math.min(allowance - left, held(bytes, seen));
    }
    if ((seen & UNSAMPLED) == 0) {
      sample(buffer, Stamp.slot(seen), end.endId, bytes, here);
    }
    return stamp;
  }

  /** A life of a slot that is sampled is over, and counted. Owner only. */
  private void sample(TrackedBuffer buffer, int slot, int end, int bytes, boolean here) {
    long micros = here ? micros(slot) : nursery.rings.micros(this, buffer, slot);
    if (micros >= 0) {
      nursery.samples.add(end, micros, bytes);
    }
  }

  /** Whether the tenured flow that ended is sampled. Owner only. */
  public boolean isTenuredSampled() {
    return (tenuredEnded++ & UNSAMPLED) == 0;
  }

  /** Like the unguarded form, on a ring that may be shared. Any thread. */
  public int leaveGuarded(TrackedBuffer buffer, int seen, Node end) {
    if (isShared()) {
      synchronized (this) {
        return leave(buffer, seen, end);
      }
    }
    return leave(buffer, seen, end);
  }

  /** How many lives have begun here. */
  public long allocated() {
    return entered() + withoutSlot;
  }

  @Override
  void hand(TenuredFlow tenured) {
    if (taken) {
      taken = false;
      publishedCount = 0;
    }
    if ((++publishedCount & Backlog.STEP - 1) == 0) {
      nursery.backlog.look(this);
    }
    push(PUBLISHED, tenured);
  }

  /** How many tenured flows have been handed on since they were taken last, about. Any thread. */
  int waiting() {
    return taken ? 0 : publishedCount;
  }

  /** Lets go of what has ended among what was handed on. Owner only. */
  void dropEnded() {
    int before = drops;
    drops = before + 1;
    try {
      keepLive();
    } finally {
      drops = before + 2;
    }
  }

  private void keepLive() {
    TenuredFlow first = null;
    TenuredFlow last = null;
    int count = 0;
    // No call in between: were there no stack for it, all would be lost.
    for (TenuredFlow tenured = (TenuredFlow) PUBLISHED.getAndSet(this, (TenuredFlow) null);
        tenured != null;
        tenured = tenured.next) {
      if (!tenured.ended) {
        if (last == null) {
          first = tenured;
        } else {
          last.next = tenured;
        }
        last = tenured;
        count++;
      }
    }
    publishedCount = count;
    if (last != null) {
      TenuredFlow others;
      do {
        others = (TenuredFlow) PUBLISHED.getVolatile(this);
        last.next = others;
      } while (!PUBLISHED.compareAndSet(this, others, first));
    }
  }

  public void noteEnded(TenuredFlow tenured) {
    push(ENDED, tenured);
  }

  /** The first of what was handed on since the last look. Stays where it is. Sweeper only. */
  public @Nullable TenuredFlow lastPublished() {
    return (TenuredFlow) PUBLISHED.getAcquire(this);
  }

  private @Nullable TenuredFlow takePublished() {
    taken = true;
    return (TenuredFlow) PUBLISHED.getAndSet(this, (TenuredFlow) null);
  }

  /** Gives away all that was handed on. An error costs the one at hand; the others stay. */
  public void drainPublished(Consumer<TenuredFlow> taker) {
    int before = drops;
    TenuredFlow next = takePublished();
    if ((before & 1) != 0 || drops != before) {
      nursery.stragglers.postpone();
    }
    try {
      while (next != null) {
        TenuredFlow tenured = next;
        next = tenured.next;
        tenured.next = null;
        taker.accept(tenured);
      }
    } finally {
      while (next != null) {
        TenuredFlow tenured = next;
        next = tenured.next;
        push(PUBLISHED, tenured);
      }
    }
  }

  public @Nullable TenuredFlow takeEnded() {
    return (TenuredFlow) ENDED.getAndSet(this, (TenuredFlow) null);
  }

  private void push(VarHandle head, TenuredFlow tenured) {
    TenuredFlow first;
    do {
      first = (TenuredFlow) head.getVolatile(this);
      tenured.next = first;
    } while (!head.compareAndSet(this, first, tenured));
  }
}
