package org.buftrail.flow.woven;

import org.buftrail.flow.base.ForceInline;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.state.ComponentBase;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Owners;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Roots;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Misuse;
import org.jspecify.annotations.Nullable;

/**
 * What woven code calls. Nothing here throws, or allocates for a buffer that dies young. A thread
 * whose counts find no room waits for a monitor, for as long as a snapshot reads those of all
 * rings: {@code EndCounts}.
 *
 * <p>Public because any class of the application may have been woven. Any thread.
 */
public final class Buffers {
  /** Kinds of {@link #allocated}: an odd kind is memory outside the heap. */
  public static final int HEAP = Roots.HEAP;

  public static final int DIRECT = Roots.DIRECT;
  public static final int COMPOSITE_HEAP = Roots.COMPOSITE_HEAP;
  public static final int COMPOSITE_DIRECT = Roots.COMPOSITE_DIRECT;

  /**
   * Buffers whose release could not be counted, for want of stack or memory: see {@link
   * MissedReleases}. Woven code writes here too, since it may have no stack for a call.
   */
  @SuppressWarnings("MutablePublicArray") // to be written to
  public static final @Nullable Object[] MISSED = MissedReleases.NOTED;

  /** The mask that makes an index into {@link #missed}. */
  public static final int LAST_MISSED = 1023;

  /** How many are there, about. Written plainly: of two at once, one may take the other's place. */
  public static int missed;

  private static final Tracker TRACKER = Tracker.INSTANCE;
  private static final Births BIRTHS = TRACKER.births;
  private static final Moves MOVES = TRACKER.moves;
  private static final Releases RELEASES = TRACKER.releases;

  private Buffers() {}

  /**
   * An allocator returns a buffer. A life starts once, however many allocators delegate.
   *
   * @param buffer what it returns
   * @param allocator what was asked
   * @param kind one of the constants above
   */
  public static void allocated(@Nullable Object buffer, Object allocator, int kind) {
    try {
      BIRTHS.allocated(buffer, allocator, kind);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
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
  public static void returnedByAllocator(@Nullable Object buffer, Object allocator, int atLeast) {
    try {
      BIRTHS.given(buffer, allocator, atLeast);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
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
  public static void created(@Nullable Object buffer, int site) {
    try {
      BIRTHS.born(buffer, site);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /**
   * An allocator that keeps chunks was made; perhaps told by several of its constructors. It is not
   * kept alive.
   */
  public static void poolMade(@Nullable Object allocator) {
    try {
      if (allocator != null) {
        TRACKER.pools.put(allocator, Boolean.TRUE);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** Like {@link #created}, for a method that never returns direct buffers. */
  public static void createdOnHeap(@Nullable Object buffer, int site) {
    try {
      BIRTHS.bornInHeap(buffer, site);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /**
   * A derived buffer with a count of its own has been made: a flow of its own from where its parent
   * is.
   */
  public static void derived(@Nullable Object buffer) {
    try {
      BIRTHS.derived(buffer);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** The capacity of a buffer was changed, perhaps. */
  public static void resized(@Nullable Object buffer) {
    try {
      if (buffer instanceof TrackedBuffer && FlowState.state((TrackedBuffer) buffer) != null) {
        TRACKER.nursery.evictions.grown(
            (TrackedBuffer) buffer, ((TrackedBuffer) buffer).capacity());
        TRACKER.scopes.resized((TrackedBuffer) buffer);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A composite takes in a component. */
  public static void joined(Object composite, @Nullable Object component) {
    try {
      if (!(composite instanceof TrackedBuffer)) {
        MOVES.composites.addForeign(composite, component);
      } else if (component instanceof ComponentBase) {
        MOVES.composites.add((TrackedBuffer) composite, (ComponentBase) component);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A composite has taken the components of another over. */
  public static void merged(Object composite) {
    try {
      if (composite instanceof TrackedBuffer) {
        MOVES.composites.joinAll((TrackedBuffer) composite);
      } else {
        MOVES.composites.joinAllForeign(composite);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A composite gives up a component, and is about to release it. */
  public static void componentRemoved(Object component) {
    try {
      if (component instanceof ComponentBase) {
        MOVES.composites.part((ComponentBase) component);
      } else {
        MOVES.composites.partForeign(component);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A buffer, or a message that may hold one, passes a site. */
  @ForceInline
  public static void hop(@Nullable Object message, int site) {
    try {
      MOVES.moveIn(message, site);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /**
   * A call out of the instrumented code returned a buffer: the first to see a new one asked for it.
   */
  public static void requested(@Nullable Object buffer, int site) {
    try {
      MOVES.asked(buffer, site);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /**
   * A method of the application has retained a buffer, or a message that may hold one: its line
   * stands in place of the library's {@code retain}.
   */
  public static void retainedIn(@Nullable Object message, int site) {
    try {
      MOVES.retainedIn(message, site);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A pipeline hands a message that came in to a handler. */
  @ForceInline
  public static void handedIn(@Nullable Object message, Object handler) {
    try {
      MOVES.handed(message, handler, false);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A pipeline hands a message that goes out to a handler. */
  @ForceInline
  public static void handedOut(@Nullable Object message, Object handler) {
    try {
      MOVES.handed(message, handler, true);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /**
   * The application gives a buffer, or a message that may hold one, to a method of a library.
   *
   * @param callSite the site of the call
   * @param callee the site of the method called
   */
  @ForceInline
  public static void given(@Nullable Object message, int callSite, int callee) {
    try {
      MOVES.given(message, callSite, callee);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A buffer's count went up. */
  public static void retained(Object buffer) {
    try {
      MOVES.moveIn(buffer, Sites.RETAIN);
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
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
      if (buffer instanceof TrackedBuffer) {
        RELEASES.end((TrackedBuffer) buffer);
      } else {
        RELEASES.endOfSideTable(buffer);
      }
    } catch (Throwable e) {
      // A counted flow has a mark in its stamp. No call: there may be no stack for one.
      int stamp = buffer instanceof TrackedBuffer ? ((TrackedBuffer) buffer).buftrail$stamp : 0;
      int slot = stamp & Stamp.SLOT_MASK;
      if (slot < Stamp.MARK || slot > Stamp.ENDED_SLOT) {
        MISSED[missed++ & LAST_MISSED] = buffer;
      }
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
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
        TRACKER.misuses.add(thrown, buffer, Misuse.Kind.of(kind));
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }

  /** A buffer is wrapped as unreleasable: until somebody releases it, it is nobody's leak. */
  public static void markedUnreleasable(@Nullable Object buffer) {
    try {
      TrackedBuffer owner =
          buffer instanceof TrackedBuffer
              ? Owners.owner((TrackedBuffer) buffer)
              : TRACKER.sideTable.find(buffer);
      if (owner != null) {
        TRACKER.nursery.keep(owner);
      }
    } catch (Throwable e) {
      try {
        Suppressed.add(e);
      } catch (VirtualMachineError again) {
        Suppressed.unadded++;
      }
    }
  }
}
