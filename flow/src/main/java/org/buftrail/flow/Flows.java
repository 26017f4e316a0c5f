package org.buftrail.flow;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * What woven code calls. Nothing here throws, blocks, or allocates for a buffer that dies young.
 *
 * <p>Public because any class of the application may have been woven. Any thread.
 */
public final class Flows {
  /** Kinds of {@link #allocated}: an odd kind is memory outside the heap. */
  public static final int HEAP = 0;

  public static final int DIRECT = 1;
  public static final int COMPOSITE_HEAP = 2;
  public static final int COMPOSITE_DIRECT = 3;

  /** The state of a buffer that sampling passed over, until it is released. */
  private static final Object SKIPPED = new Object();

  private static final int MAX_WRAPS = 64;
  private static final int MAX_HOLDERS = 4;

  /**
   * Buffers whose release could not be counted, for want of stack or memory: see {@link
   * MissedReleases}. Woven code writes here too, since it may have no stack for a call.
   */
  @SuppressWarnings("MutablePublicArray") // to be written to
  public static final @Nullable Object[] MISSED = new Object[1024];

  /** What to take of {@link #missed} as the index. */
  public static final int LAST_MISSED = 1023;

  /** How many are there, about. Written plainly: of two at once, one may take the other's place. */
  public static int missed;

  private Flows() {}

  /**
   * An allocator returns a buffer. A life starts once, however many allocators delegate.
   *
   * @param buffer what it returns
   * @param allocator what was asked
   * @param kind one of the constants above
   */
  public static void allocated(@Nullable Object buffer, Object allocator, int kind) {
    try {
      if (Restraints.exclude((kind & 1) != 0)) {
        return;
      }
      Trail trail = buffer instanceof Trail ? (Trail) buffer : Fosters.adopt(buffer);
      Trail owner = trail == null ? null : idle(trail);
      if (owner != null && !passesOver(owner)) {
        int weight = kind >= COMPOSITE_HEAP ? Trail.WEIGHTLESS : 0;
        enter(owner, Scopes.root(Roots.of(allocator.getClass(), kind)), weight);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /**
   * An allocator that is not derived from Netty's returns a buffer: its own, or that of another
   * allocator, which has begun the life already.
   *
   * @param buffer what it returns
   * @param allocator what was asked
   * @param atLeast what the method's name says: an empty composite does not know that it is direct
   */
  public static void given(@Nullable Object buffer, Object allocator, int atLeast) {
    try {
      if (!Restraints.isStarting()) {
        return;
      }
      Trail owner = buffer instanceof Trail ? owner((Trail) buffer) : Fosters.adopt(buffer);
      if (owner != null && mayBegin(owner)) {
        int kind = kind(owner) | atLeast;
        begin(owner, Roots.of(allocator.getClass(), kind), kind);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /**
   * A method that makes buffers without an allocator returns one.
   *
   * @param buffer what it returns; nothing happens when its flow has begun already
   * @param site the root to give it
   */
  public static void born(@Nullable Object buffer, int site) {
    try {
      if (!Restraints.isStarting()) {
        return;
      }
      if (!(buffer instanceof Trail)) {
        bear(Fosters.adopt(buffer), site);
      } else if (missed == 0 && isYoung((Trail) buffer)) {
        rename((Trail) buffer, site);
      } else {
        bear(owner((Trail) buffer), site);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /** The same, of a method whose buffers are never direct. */
  public static void bornInHeap(@Nullable Object buffer, int site) {
    try {
      if (!Restraints.exclude(false)) {
        born(buffer, site);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /** Whether a life is under way that has no elder. Then the buffer counts for itself. */
  private static boolean isYoung(Trail buffer) {
    return buffer.state instanceof Node && !Trail.isMarked(buffer.ticket);
  }

  /** Called by another of these methods: the outermost is the one the application knows. */
  private static void rename(Trail owner, int site) {
    Object state = owner.state;
    if (state instanceof Node && ((Node) state).isBySite()) {
      Node root = Scopes.root(Roots.of(site, Roots.kindOf((Node) state)));
      owner.compareAndSetState(state, root);
    }
  }

  private static void bear(@Nullable Trail owner, int site) {
    if (owner == null) {
      return;
    }
    if (mayBegin(owner)) {
      int kind = kind(owner);
      begin(owner, Roots.of(site, kind), kind);
    } else {
      rename(owner, site);
    }
  }

  /** What kind of memory a live buffer has. */
  private static int kind(Trail owner) {
    return (Composites.isComposite(owner) ? COMPOSITE_HEAP : HEAP) | (owner.isDirect() ? 1 : 0);
  }

  private static void begin(Trail owner, Node root, int kind) {
    if (((kind & 1) == 0 && Restraints.isDirectOnly()) || passesOver(owner)) {
      return;
    }
    enter(owner, Scopes.root(root), kind >= COMPOSITE_HEAP ? Trail.WEIGHTLESS : 0);
    if (kind >= COMPOSITE_HEAP) {
      Composites.joinAll(owner);
    }
  }

  /** The buffer that counts for {@code buffer}, or null when a life of it is under way. */
  private static @Nullable Trail idle(Trail buffer) {
    Trail owner = buffer.state != null ? buffer : owner(buffer);
    return owner != null && mayBegin(owner) ? owner : null;
  }

  /** Whether sampling passes over the life that is to begin. Before any other work. */
  private static boolean passesOver(Trail owner) {
    return Restraints.areSampling() && isNotChosen(owner);
  }

  private static boolean isNotChosen(Trail owner) {
    boolean skips = Desks.skips(Restraints.sampling());
    if (skips) {
      owner.state = SKIPPED;
    }
    return skips;
  }

  static void enter(Trail owner, Node node, int weight) {
    Desk own = Desks.own();
    if (own != null) {
      own.enter(owner, node, weight);
    } else {
      Desks.enter(owner, node, weight);
    }
  }

  /** Whether no life is under way; one whose release was missed ends by this. */
  private static boolean mayBegin(Trail owner) {
    return isIdle(owner) || (missed != 0 && MissedReleases.settle(owner));
  }

  /** Whether no life of a buffer is under way. */
  static boolean isIdle(Trail owner) {
    Object state = owner.state;
    return state == null || (state != SKIPPED && Trail.isEnded(owner.ticket));
  }

  /**
   * A derived buffer with a count of its own has been made: a flow of its own from where its parent
   * is.
   */
  public static void derived(@Nullable Object buffer) {
    try {
      if (!Restraints.isStarting()) {
        return;
      }
      if (buffer instanceof Trail) {
        Trail owner = owner(((Trail) buffer).buftrail$parent());
        Node node = owner == null ? null : position(owner);
        Trail derived = node == null ? null : idle((Trail) buffer);
        if (derived != null && node != null) {
          // Its parent was chosen by sampling, and so it is too.
          enter(derived, node, Trail.WEIGHTLESS);
        }
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /** The capacity of a buffer was changed, perhaps. */
  public static void resized(@Nullable Object buffer) {
    try {
      if (buffer instanceof Trail && ((Trail) buffer).state != null) {
        Nursery.INSTANCE.evictions.grown((Trail) buffer, ((Trail) buffer).capacity());
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A composite takes in a component. */
  public static void joined(Object composite, @Nullable Object component) {
    try {
      if (composite instanceof Trail && component instanceof Joined) {
        Composites.add((Trail) composite, (Joined) component);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A composite has taken the components of another over. */
  public static void merged(Object composite) {
    try {
      if (composite instanceof Trail) {
        Composites.joinAll((Trail) composite);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A composite gives up a component, and is about to release it. */
  public static void parted(Object component) {
    try {
      if (component instanceof Joined) {
        Composites.part((Joined) component);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A buffer, or a message that may hold one, passes a site. */
  @ForceInline
  public static void hop(@Nullable Object message, int site) {
    try {
      moveIn(message, site);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  @ForceInline
  private static void moveIn(@Nullable Object message, int site) {
    if (message instanceof Trail) {
      move((Trail) message, site);
    } else {
      moveHeld(message, site);
    }
  }

  private static void moveHeld(@Nullable Object message, int site) {
    if (Restraints.isStarting()) {
      Trail held = held(message);
      // A holder may have loaded under the agent, and its buffer's class before.
      Trail trail = held != null ? held : Fosters.find(message);
      if (trail != null) {
        move(trail, site);
      }
    }
  }

  @ForceInline
  static void move(Trail buffer, int site) {
    Object state = buffer.state;
    if (state instanceof Node) {
      Node node = (Node) state;
      if (!node.isEnd() && !Trail.isEnded(buffer.ticket)) {
        step(buffer, node, site);
      }
    } else if (state == null ? Restraints.isStarting() : state != SKIPPED && Restraints.isAlive()) {
      // While nothing is followed, a view is not asked for its buffer, which would cost a call.
      moveOther(buffer, state, site);
    }
  }

  @ForceInline
  private static void step(Trail buffer, Node from, int site) {
    // As the next, which may be far away yet.
    boolean isComposite = from.isComposite();
    Node next = from.next(buffer.key(site));
    store(buffer, next);
    if (isComposite) {
      Composites.follow(buffer, next);
    }
  }

  @ForceInline
  private static void store(Trail buffer, Node node) {
    buffer.setStateOpaque(node);
    if (Trail.isMarked(buffer.ticketOpaque())) {
      Nursery.INSTANCE.late(buffer);
    }
  }

  /** Where a flow is, or null when there is none under way. */
  static @Nullable Node position(Trail buffer) {
    Object state = buffer.stateOpaque();
    if (state instanceof Node) {
      Node node = (Node) state;
      return node.isEnd() || Trail.isEnded(buffer.ticketOpaque()) ? null : node;
    }
    if (state instanceof Elder) {
      Elder elder = (Elder) state;
      return elder.isOver(buffer) || elder.kept ? null : elder.node;
    }
    return null;
  }

  /** Moves a flow that is under way to another node. */
  static void place(Trail buffer, Node node) {
    Object state = buffer.stateOpaque();
    if (state instanceof Elder) {
      ((Elder) state).node = node;
    } else {
      store(buffer, node);
    }
  }

  private static void moveOther(Trail buffer, @Nullable Object state, int site) {
    if (state == null) {
      Trail owner = owner(buffer);
      if (owner != null && owner != buffer && owner.state != null) {
        move(owner, site);
      }
    } else if (state instanceof Elder) {
      Elder elder = (Elder) state;
      if (!elder.isOver(buffer) && !elder.kept) {
        Node next = elder.node.next(buffer.key(site));
        elder.node = next;
        if (elder.index != Elder.NOWHERE) {
          // It may have grown since it was put into the table.
          elder.bytes = buffer.bytes();
        }
        if (next.isComposite()) {
          Composites.follow(buffer, next);
        }
      }
    }
  }

  /**
   * A call out of the instrumented code returned a buffer: the first to see a new one asked for it.
   */
  public static void asked(@Nullable Object buffer, int site) {
    try {
      if (!Restraints.isStarting()) {
        return;
      }
      if (buffer instanceof Trail) {
        ask((Trail) buffer, site);
      } else {
        Trail held = held(buffer);
        askOwner(held == null ? Fosters.find(buffer) : owner(held), site);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  private static void ask(Trail buffer, int site) {
    Object state = buffer.state;
    if (state instanceof Node) {
      if (((Node) state).isRoot() && !Trail.isEnded(buffer.ticket)) {
        step(buffer, (Node) state, site);
      }
    } else {
      askOwner(owner(buffer), site);
    }
  }

  static void askOwner(@Nullable Trail owner, int site) {
    if (owner != null && owner.isAtRoot()) {
      move(owner, site);
    }
  }

  /** A buffer's count went up. */
  public static void retained(Object buffer) {
    try {
      moveIn(buffer, Sites.RETAIN);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /**
   * A release of a counting buffer, before its memory is given back.
   *
   * @param zero whether the count reached 0
   */
  public static void released(Object buffer, boolean zero) {
    if (!zero) {
      return;
    }
    try {
      Trail trail = buffer instanceof Trail ? (Trail) buffer : Fosters.find(buffer);
      if (trail != null) {
        end(trail);
      }
    } catch (Throwable e) {
      // What is counted says so in its ticket. No call: there may be no stack for one.
      int ticket = buffer instanceof Trail ? ((Trail) buffer).ticket : 0;
      int slot = ticket & Trail.SLOT_MASK;
      if (slot < Trail.MARK || slot == Trail.ELDER_SLOT) {
        MISSED[missed++ & LAST_MISSED] = buffer;
      }
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  static void end(Trail buffer) {
    Object state = buffer.state;
    if (state instanceof Node) {
      int seen = buffer.ticketOpaque();
      Node end = Trail.isEnded(seen) ? null : endOf((Node) state);
      if (end != null) {
        int ticket = leave(buffer, seen, end);
        if (Trail.isElder(ticket)) {
          Nursery.INSTANCE.overtaken(buffer, ticket, end);
        }
      }
    } else if (state != null) {
      endOther(buffer, state);
    }
  }

  /** Null when that is an end itself. */
  private static @Nullable Node endOf(Node node) {
    Node end = node.existingEnd();
    return end != null ? end : node.isEnd() ? null : node.end();
  }

  private static int leave(Trail buffer, int seen, Node end) {
    Desk desk = Desks.near(seen);
    return desk != null ? desk.leave(buffer, seen, end) : Desks.leave(buffer, seen, end);
  }

  private static void endOther(Trail buffer, Object state) {
    if (state instanceof Elder) {
      Elder elder = (Elder) state;
      Node end = elder.node.end().after(elder.before);
      int seen = buffer.ticketOpaque();
      if (!Trail.isEnded(seen) && elder.markEnded()) {
        try {
          leave(buffer, seen, end);
        } catch (Throwable e) {
          elder.ended = false;
          throw e;
        }
        buffer.setStateOpaque(end);
        if (elder.index != Elder.NOWHERE) {
          Desks.current().noteEnded(elder);
        }
      }
    } else if (state == SKIPPED) {
      buffer.state = null;
    }
  }

  /**
   * A woven method of a buffer is about to throw.
   *
   * @param thrown looked at only when it says that the count was wrong
   * @param buffer whose method it is
   * @param kind code of a {@link Misuse.Kind}
   */
  public static void misused(Throwable thrown, @Nullable Object buffer, int kind) {
    try {
      if (thrown.getClass().getName().endsWith("IllegalReferenceCountException")) {
        Misuses.add(thrown, buffer, Misuse.Kind.of(kind));
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A buffer is wrapped as unreleasable: until somebody releases it, it is nobody's leak. */
  public static void kept(@Nullable Object buffer) {
    try {
      Trail owner = buffer instanceof Trail ? owner((Trail) buffer) : Fosters.find(buffer);
      if (owner != null) {
        Nursery.INSTANCE.keep(owner);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (Throwable again) {
        Suppressed.unadded++;
      }
    }
  }

  /** The buffer that the field of a message has, itself or in a further holder; else null. */
  public static @Nullable Trail held(@Nullable Object message) {
    Object at = message;
    for (int i = 0; i < MAX_HOLDERS; i++) {
      // A proxy with the interfaces of a holder's class has code of the application in its place.
      if (!(at instanceof BufferHolder) || at instanceof Proxy) {
        return null;
      }
      at = ((BufferHolder) at).buftrail$content();
      if (at instanceof Trail) {
        return (Trail) at;
      }
    }
    return null;
  }

  /** The buffer whose count {@code buffer} shares, or null. */
  static @Nullable Trail owner(@Nullable Trail buffer) {
    if (buffer == null) {
      return null;
    }
    try {
      Trail owner = buffer.buftrail$owner();
      return owner == buffer || owner == null ? owner : search(owner);
    } catch (RuntimeException e) {
      // Some views throw when what they view is released; then there is no flow to move.
      return null;
    }
  }

  private static @Nullable Trail search(Trail from) {
    Trail at = from;
    for (int i = 1; i < MAX_WRAPS; i++) {
      Trail owner = at.buftrail$owner();
      if (owner == at || owner == null) {
        return owner;
      }
      at = owner;
    }
    return null;
  }
}
