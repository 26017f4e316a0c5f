package org.buftrail.flow.state;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Tells what it means that a buffer is collected unreleased: a leak, a part of one, or nothing.
 *
 * <p>It is a leak where a release would have given something back: to a pool, or to the system. A
 * buffer of which the collector frees all there is, and one that wraps what Netty does not free, is
 * only dropped. Which it is, its class knows, and one field of some ({@link
 * TrackedBuffer#buftrail$needsRelease()}); a class of somebody else's is believed to need a
 * release, since nobody knows what it would do. A tenured flow keeps the answer from the moment it
 * is made, since nobody can ask when the buffer is gone.
 *
 * <p>A composite has no memory of its own: it needs a release if something in it does. And what it
 * holds is no leak besides it. So the sweeper looks at what a composite holds before it lets go of
 * it, and once more when something was added since. A component that has been added since the last
 * sweep to a composite that is lost at once counts for itself.
 */
public final class Holdings {
  private static final int MAX_NESTING = 4;

  /** Composites that got more since they were looked at. */
  private final AtomicReference<@Nullable Changed> added = new AtomicReference<>();

  /** Whether a class is derived from one of Netty's, and not Netty's itself. */
  private static final ClassValue<Boolean> OF_OTHERS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          Class<?> top = type;
          while (top.getSuperclass() != TrackedBuffer.class && top.getSuperclass() != null) {
            top = top.getSuperclass();
          }
          return type.getClassLoader() != top.getClassLoader()
              || !type.getPackageName().equals(top.getPackageName());
        }
      };

  private volatile boolean dropsAreLeaks;

  private static final class Changed {
    final TenuredFlow composite;
    final @Nullable Changed next;

    Changed(TenuredFlow composite, @Nullable Changed next) {
      this.composite = composite;
      this.next = next;
    }
  }

  /** Whether buffers count as leaked though nothing is lost with them. */
  public void setDropsAreLeaks(boolean leaks) {
    dropsAreLeaks = leaks;
  }

  /** Whether to drop {@code buffer} is a leak; of a composite alone. Any thread. */
  public boolean needsRelease(TrackedBuffer buffer) {
    return dropsAreLeaks
        || buffer.buftrail$needsRelease()
        || (!(buffer instanceof SideState) && OF_OTHERS.get(buffer.getClass()));
  }

  private boolean needsRelease(TrackedBuffer buffer, int nesting) {
    if (needsRelease(buffer)) {
      return true;
    }
    @Nullable Object[] components = buffer.buftrail$components();
    for (int i = 0; components != null && nesting < MAX_NESTING && i < components.length; i++) {
      TrackedBuffer held = held(components[i]);
      if (held != null && needsRelease(held, nesting + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a buffer is made of others. */
  public static boolean isComposite(TrackedBuffer buffer) {
    return buffer instanceof SideState
        ? ((SideState) buffer).isComposite()
        : buffer.buftrail$components() != null;
  }

  /** Whether a buffer that is live at a node is there for a composite that it moved with. */
  public static boolean isPart(TrackedBuffer buffer, Node node) {
    return node.isComposite() && !isComposite(buffer);
  }

  /** The buffer that a derived one holds a reference to. */
  public static @Nullable TrackedBuffer parent(TrackedBuffer derived) {
    try {
      return Owners.owner(derived.buftrail$parent());
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static @Nullable TrackedBuffer held(@Nullable Object component) {
    return Owners.owner(
        component instanceof ComponentBase
            ? ((ComponentBase) component).buftrail$source()
            : component instanceof TrackedBuffer ? (TrackedBuffer) component : null);
  }

  /**
   * Looks at what a buffer holds. Its owner's thread, or the sweeper.
   *
   * @param tenuredOf gives the tenured flow of a buffer, made if there is none; null where no flow
   *     is
   */
  public void look(
      TenuredFlow tenured,
      TrackedBuffer buffer,
      Function<TrackedBuffer, @Nullable TenuredFlow> tenuredOf) {
    boolean needsRelease = needsRelease(buffer, 0);
    if (needsRelease) {
      tenured.needsRelease = true;
    }
    @Nullable Object[] components = buffer.buftrail$components();
    for (int i = 0; components != null && i < components.length; i++) {
      Object component = components[i];
      TrackedBuffer held = held(component);
      TenuredFlow part = held == null || held == buffer ? null : tenuredOf.apply(held);
      if (part != null) {
        part.holder = tenured;
        if (component instanceof ComponentBase) {
          ((ComponentBase) component).held = true;
        }
      }
    }
  }

  /** Something has been added to a composite. Any thread. */
  public void changed(TrackedBuffer composite) {
    Object state = FlowState.stateOpaque(composite);
    if (state instanceof TenuredFlow && !((TenuredFlow) state).changed) {
      TenuredFlow tenured = (TenuredFlow) state;
      tenured.changed = true;
      Changed next;
      do {
        next = added.get();
      } while (!added.compareAndSet(next, new Changed(tenured, next)));
    }
  }

  /** A composite gives {@code component} up. The composite's thread. */
  public static void parted(ComponentBase component) {
    if (component.held) {
      component.held = false;
      TrackedBuffer held = held(component);
      Object state = held == null ? null : FlowState.stateOpaque(held);
      if (state instanceof TenuredFlow) {
        ((TenuredFlow) state).leaveHolder();
      }
    }
  }

  /** Looks again at composites in the table that got more. Sweeper only. */
  public void revisit(Function<TrackedBuffer, @Nullable TenuredFlow> tenuredOf) {
    for (Changed c = added.getAndSet(null); c != null; c = c.next) {
      TenuredFlow tenured = c.composite;
      tenured.changed = false;
      // Others will be looked at when they come there.
      TrackedBuffer buffer = tenured.index == TenuredFlow.NOWHERE ? null : tenured.get();
      if (buffer != null && FlowState.stateOpaque(buffer) == tenured && !tenured.isOver(buffer)) {
        look(tenured, buffer, tenuredOf);
      }
    }
  }
}
