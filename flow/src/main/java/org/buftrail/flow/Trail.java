package org.buftrail.flow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
 *   null    not in a flow (never was, or a view: see {@link #buftrail$owner()})
 *   Node    in the nursery, at that node; or ended there, when the ticket says that it is over
 *   Elder   outlived the nursery; the elder knows the node, the ticket whether it is over
 * </pre>
 *
 * <p>{@code ticket} holds the life number, the place of the desk where the life began (see {@link
 * Desks#near}), whether the life is weightless, kept, pooled, or not the first, and the slot of the
 * ring that the buffer went into or {@link #ELDER_SLOT} or {@link #ENDED_SLOT}. Who may write what
 * is said in {@link Nursery}.
 */
public abstract class Trail {
  private static final int SLOT_BITS = 14;
  static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

  /** Set in the ticket of a life whose bytes are counted with another flow. */
  static final int WEIGHTLESS = 1 << SLOT_BITS;

  /** Set in the ticket of a life that was wrapped as unreleasable. */
  static final int KEPT = 1 << (SLOT_BITS + 1);

  /** Set in the ticket of a life whose buffer had another before, with an end that is known. */
  static final int EARLIER = 1 << (SLOT_BITS + 2);

  /** Set in the ticket of a life whose memory the buffer does not keep: see {@link HeldBytes}. */
  static final int POOLED = 1 << (SLOT_BITS + 3);

  private static final int PLACE_BITS_FROM = SLOT_BITS + 4;
  static final int PLACE_BITS = 6;
  private static final int LIFE_BITS_FROM = PLACE_BITS_FROM + PLACE_BITS;

  /** Set where something other than a slot is. Slots are below it. */
  static final int MARK = 1 << (SLOT_BITS - 1);

  /** In place of a slot: an elder has been or is being made for this life. */
  static final int ELDER_SLOT = SLOT_MASK;

  /** In place of a slot: the life is over, whatever the state says. */
  static final int ENDED_SLOT = SLOT_MASK - 1;

  /** The same, and the life before is known to have ended at the same node. */
  static final int ENDED_ALIKE_SLOT = SLOT_MASK - 2;

  private static final VarHandle STATE;
  private static final VarHandle TICKET;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Trail.class, "state", Object.class);
      TICKET = lookup.findVarHandle(Trail.class, "ticket", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @Nullable Object state;
  int ticket;

  /** For the class that is given this superclass. */
  protected Trail() {}

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
  public @Nullable Trail buftrail$owner() {
    return null;
  }

  /**
   * The buffer that a derived one with a count of its own keeps alive, or null. Overridden by woven
   * code.
   */
  public @Nullable Trail buftrail$parent() {
    return null;
  }

  /**
   * Whether something is lost when the buffer is dropped unreleased: a pool runs dry, or memory
   * outside the heap waits for a collection, or is lost for good. Not so where the collector frees
   * all there is, and where the memory is somebody else's. Of a composite alone, without what it is
   * made of. Reads a field at most. Overridden by woven code.
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

  /** What a composite is made of, unused places null; null for any other buffer. Woven too. */
  public @Nullable Object @Nullable [] buftrail$components() {
    return null;
  }

  static int slot(int ticket) {
    return ticket & SLOT_MASK;
  }

  static boolean isElder(int ticket) {
    return (ticket & SLOT_MASK) == ELDER_SLOT;
  }

  static boolean isEnded(int ticket) {
    return isMarked(ticket) && !isElder(ticket);
  }

  /** Whether the life is over, and the one before is known to have ended at the same node. */
  static boolean isEndedAlike(int ticket) {
    return (ticket & SLOT_MASK) == ENDED_ALIKE_SLOT;
  }

  /** Whether something other than a slot is there: {@link #isElder} or {@link #isEnded}. */
  static boolean isMarked(int ticket) {
    return (ticket & MARK) != 0;
  }

  /** The ticket of the same life once it is over. */
  static int ended(int ticket) {
    return (ticket & ~SLOT_MASK) | ENDED_SLOT;
  }

  /** Whether two tickets are of one life. */
  static boolean isSameLife(int ticket, int other) {
    return (ticket ^ other) >>> PLACE_BITS_FROM == 0;
  }

  /**
   * The ticket of the life after the one of {@code ticket}.
   *
   * @param place what {@link #placed} says
   */
  static int nextLife(int ticket, int place, int slot) {
    return (((ticket >>> LIFE_BITS_FROM) + 1) << LIFE_BITS_FROM) | place | slot;
  }

  /** A place, where a ticket has it. */
  static int placed(int place) {
    return place << PLACE_BITS_FROM;
  }

  /** The place of the desk where the life began. */
  static int place(int ticket) {
    return ticket >>> PLACE_BITS_FROM & (1 << PLACE_BITS) - 1;
  }

  static boolean isKept(int ticket) {
    return (ticket & KEPT) != 0;
  }

  static boolean hasEarlier(int ticket) {
    return (ticket & EARLIER) != 0;
  }

  static boolean isPooled(int ticket) {
    return (ticket & POOLED) != 0;
  }

  static boolean isWeightless(int ticket) {
    return (ticket & WEIGHTLESS) != 0;
  }

  /** The key of the node that a hop at a site leads to: the site and how often it is counted. */
  @ForceInline
  final int key(int site) {
    int count = refCnt();
    return site << 2 | (count <= 2 ? (count <= 0 ? 0 : 1) : count <= 5 ? 2 : 3);
  }

  final boolean isAtRoot() {
    Object at = state;
    return at instanceof Node
        ? ((Node) at).isRoot()
        : at instanceof Elder && ((Elder) at).node.isRoot();
  }

  /** Where the last life ended, or null when one is under way, or none ever was. */
  final @Nullable Node ending() {
    Object at = stateOpaque();
    boolean over = isEnded(ticketOpaque());
    if (at instanceof Node) {
      Node node = (Node) at;
      return node.isEnd() ? node : over ? node.end() : null;
    }
    // A takeover that met the release, until the sweeper has looked again.
    return over && at instanceof Elder ? ((Elder) at).node.end() : null;
  }

  /** The bytes that this life counts for. */
  final int bytes(int ticket) {
    return isWeightless(ticket) ? 0 : capacity();
  }

  /** The same of the present life; 0 of a composite that throws since its owner is changing it. */
  final int bytes() {
    try {
      return bytes(ticketOpaque());
    } catch (RuntimeException e) {
      return 0;
    }
  }

  /** Whether the count is above 0. A composite that throws as above is not released. */
  final boolean isHeld() {
    try {
      return refCnt() > 0;
    } catch (RuntimeException e) {
      return true;
    }
  }

  final boolean compareAndSetState(@Nullable Object expected, @Nullable Object value) {
    return STATE.compareAndSet(this, expected, value);
  }

  final boolean compareAndSetTicket(int expected, int value) {
    return TICKET.compareAndSet(this, expected, value);
  }

  /** Ordered before every later {@link #ticketOpaque()} of this thread as the compiler sees it. */
  final void setStateOpaque(@Nullable Object value) {
    STATE.setOpaque(this, value);
  }

  /** Ordered behind every earlier store of this thread. */
  final void setTicketRelease(int value) {
    TICKET.setRelease(this, value);
  }

  final @Nullable Object stateOpaque() {
    return STATE.getOpaque(this);
  }

  final int ticketOpaque() {
    return (int) TICKET.getOpaque(this);
  }
}
