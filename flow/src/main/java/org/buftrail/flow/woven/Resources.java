package org.buftrail.flow.woven;

import java.nio.Buffer;
import java.util.Arrays;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.scope.Scope;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Resource;
import org.buftrail.flow.state.ResourceCounts;
import org.buftrail.flow.state.SideState;
import org.buftrail.flow.state.SideTable;
import org.buftrail.flow.tree.Node;
import org.buftrail.model.TrackedResource;
import org.jspecify.annotations.Nullable;

/**
 * What woven code calls for resources that are no buffers. Nothing here throws.
 *
 * <p>Public because any class of the application or the JDK may have been woven. Any thread.
 * Resources are few and dear, so all of them are followed, whatever the sampling of buffers.
 *
 * <p>Opening and closing are not reentrant on a thread: what the tracker, or a method of the
 * application that it asks, opens, passes on or closes itself meanwhile is not followed.
 *
 * <p>The application is asked here alone, before any lock of the tracker is taken. All else, as the
 * sweeper, knows what it said last.
 */
public final class Resources {
  private static final Tracker TRACKER = Tracker.INSTANCE;
  private static final SideTable SIDE_TABLE = TRACKER.sideTable;

  private static volatile Resource[] all = new Resource[0];

  private static final ThreadLocal<Busy> BUSY = new ThreadLocal<>();

  /** Whether a thread is inside a call. Fields, because a call that resets it may fail. */
  private static final class Busy {
    boolean now;

    /** Whose end is being counted. */
    @Nullable SideState ending;
  }

  private Resources() {}

  /**
   * Makes a type known.
   *
   * @param name what paths call it
   * @param type binary name of a class or interface
   * @param closedOnce whether a second close is an error
   * @param spi what the application says of its objects, if anything
   * @return its number, for the calls below
   */
  public static int register(
      String name, String type, boolean closedOnce, @Nullable TrackedResource spi) {
    return register(new Resource(TRACKER.tree, name, type, closedOnce, spi));
  }

  /**
   * Registers a type whose objects know how often they are held, or how large they are.
   *
   * @param count the name of a method without parameters that gives the number of holders, or null
   *     where one close is the end
   * @param bytes the name of one that gives the size, or null
   */
  public static int register(
      String name,
      String type,
      boolean closedOnce,
      @Nullable String count,
      @Nullable String bytes) {
    return register(new Resource(TRACKER.tree, name, type, closedOnce, null, count, bytes, null));
  }

  /**
   * Makes a type of a library known.
   *
   * @param type binary name of a class, which paths call it too
   * @param count as above
   * @param selfClosing binary name of a class below the type whose objects close themselves, and
   *     are not followed; null for none
   */
  public static int registerKnown(
      String type, @Nullable String count, @Nullable String selfClosing) {
    return register(new Resource(TRACKER.tree, type, type, false, null, count, null, selfClosing));
  }

  /**
   * Returns the same number for equal descriptions, also after a detach: their number must stay
   * bounded.
   */
  private static synchronized int register(Resource resource) {
    for (int i = 0; i < all.length; i++) {
      if (all[i].resume(resource)) {
        return i;
      }
    }
    Resource[] copy = Arrays.copyOf(all, all.length + 1);
    copy[copy.length - 1] = resource;
    all = copy;
    return copy.length - 1;
  }

  /** Whether an object of a type was ever opened. */
  public static boolean isOpened(int type) {
    return all[type].isOpened();
  }

  public static void remove(TrackedResource resource) {
    for (Resource each : all) {
      each.remove(resource);
    }
  }

  /** A resource may have been opened: a flow begins, unless it is under way. */
  public static void opened(@Nullable Object object, int type) {
    Busy busy = null;
    try {
      busy = object == null || !TRACKER.mode.isStarting() ? null : enter();
      if (object != null && busy != null) {
        open(object, all[type]);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    } finally {
      if (busy != null) {
        busy.now = false;
      }
    }
  }

  private static void open(Object object, Resource resource) {
    if (resource.isMine(object)) {
      resource.noteOpened();
      SideState side;
      do {
        side = SIDE_TABLE.adopt(resource, object);
        if (side != null) {
          side.ask(object, true);
        }
      } while (side != null && !begin(object, side, resource));
    }
  }

  /**
   * Whether a flow is under way; not when a close has let go of the side state meanwhile, nor when
   * it was that of another type, which has ended and lets go of it now.
   */
  private static boolean begin(Object object, SideState side, Resource resource) {
    synchronized (side) {
      if (SIDE_TABLE.get(object) != side) {
        return false;
      }
      if (Births.isIdle(side)) {
        if (!side.isOf(resource)) {
          SIDE_TABLE.remove(object, side);
          return false;
        }
        TRACKER.births.enter(side, root(resource), 0);
        TRACKER.nursery.resources.addOpened();
      }
      return true;
    }
  }

  /** Where one begins: in the scope of the thread, or of the static initialiser that opens it. */
  private static Node root(Resource resource) {
    Scope scope = TRACKER.scopes.areOpen() ? TRACKER.scopes.current() : null;
    return scope == null ? resource.root : StaticInitializers.owner(scope).root(resource.root);
  }

  public static void passed(@Nullable Object object, int site) {
    try {
      SideState side = object == null || !TRACKER.mode.isStarting() ? null : SIDE_TABLE.get(object);
      if (object != null && side != null && ask(side, object)) {
        TRACKER.moves.move(side, site);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A call out of the instrumented code gave a resource: the first to see it asked for it. */
  public static void requested(@Nullable Object object, int site) {
    try {
      SideState side = object == null || !TRACKER.mode.isStarting() ? null : SIDE_TABLE.get(object);
      if (object != null && side != null && FlowState.isAtRoot(side) && ask(side, object)) {
        TRACKER.moves.move(side, site);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A call of the application's has made a direct buffer of the JDK. */
  public static void allocatedDirect(@Nullable Object buffer, int site) {
    try {
      if (buffer != null && TRACKER.mode.isStarting()) {
        TRACKER.directTable.add((Buffer) buffer, site);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /**
   * Asks a resource what it says of itself, before a hop. Not while the thread does so already:
   * what the answering method passes on is no hop.
   */
  private static boolean ask(SideState side, Object object) {
    if (!side.isAsked()) {
      return true;
    }
    Busy busy = enter();
    if (busy == null) {
      return false;
    }
    try {
      side.ask(object, false);
    } finally {
      busy.now = false;
    }
    return true;
  }

  /**
   * A resource is about to be closed, perhaps not for the first time; one whose holders are counted
   * was let go of by one of them just now.
   */
  public static void closed(@Nullable Object object, int type) {
    Busy busy = null;
    try {
      busy = object == null || SIDE_TABLE.isEmpty() ? null : enter();
      if (object != null && busy != null) {
        close(object, all[type], busy);
      }
    } catch (Throwable e) {
      if (busy != null && busy.ending != null) {
        Buffers.MISSED[Buffers.missed++ & Buffers.LAST_MISSED] = busy.ending;
      }
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    } finally {
      if (busy != null) {
        busy.now = false;
        busy.ending = null;
      }
    }
  }

  private static void close(Object object, Resource resource, Busy busy) {
    SideState side = SIDE_TABLE.get(object);
    if (side == null || !side.isOf(resource)) {
      return;
    }
    // Should there be no stack to ask it.
    busy.ending = side;
    if (resource.left(object, side) > 0) {
      busy.ending = null;
      return;
    }
    if (resource.closedOnce) {
      busy.ending = null;
      closeOnce(side, busy);
      return;
    }
    if (SIDE_TABLE.remove(object, side)) {
      // If several threads close it, the one that removes it ends it; not while its life begins.
      synchronized (side) {
        TRACKER.releases.end(side);
      }
    }
  }

  private static void closeOnce(SideState side, Busy busy) {
    Node end;
    synchronized (side) {
      end = FlowState.ending(side);
      if (Nursery.position(side) != null) {
        busy.ending = side;
        TRACKER.releases.end(side);
        return;
      }
    }
    if (end != null) {
      TRACKER.misuses.addClose(new Throwable(), end);
    }
  }

  /** Does on nothing what application threads will do: see {@link RuntimeWarmUp}. */
  static void rehearse() {
    Busy busy = enter();
    if (busy != null) {
      busy.now = false;
    }
    BUSY.remove();
    SIDE_TABLE.get(BUSY);
    new ResourceCounts().addOpened();
  }

  /** Null when the thread is in here already. */
  private static @Nullable Busy enter() {
    Busy busy = BUSY.get();
    if (busy == null) {
      busy = new Busy();
      BUSY.set(busy);
    }
    if (busy.now) {
      return null;
    }
    busy.now = true;
    return busy;
  }
}
