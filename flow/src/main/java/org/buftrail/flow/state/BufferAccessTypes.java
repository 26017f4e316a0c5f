package org.buftrail.flow.state;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds by its class how to ask an object that has no state in itself, as those of a Netty that was
 * loaded before the agent.
 *
 * <p>Holds no class: what is known of a Netty belongs to its {@code ByteBuf}, and goes with it.
 * Thread-safe. An answer is found once for each class; another Netty gets a new one.
 */
final class BufferAccessTypes extends ClassValue<@Nullable BufferAccess> {
  /** The accesses that a class keeps alive for as long as it lives itself. */
  private final ClassValue<BufferAccess[]> keepers =
      new ClassValue<>() {
        @Override
        protected BufferAccess[] computeValue(Class<?> type) {
          return new BufferAccess[1];
        }
      };

  private final List<WeakReference<BufferAccess>> all = new ArrayList<>();

  /** Has the types of {@code before} that still live, and one more. */
  BufferAccessTypes(@Nullable BufferAccessTypes before, BufferAccess more) {
    for (WeakReference<BufferAccess> each :
        before == null ? List.<WeakReference<BufferAccess>>of() : before.all) {
      BufferAccess foreign = each.get();
      if (foreign != null && foreign != more) {
        add(foreign);
      }
    }
    add(more);
  }

  boolean areLessExact() {
    for (WeakReference<BufferAccess> each : all) {
      BufferAccess foreign = each.get();
      if (foreign != null && foreign.isLessExact()) {
        return true;
      }
    }
    return false;
  }

  private void add(BufferAccess foreign) {
    keepers.get(foreign.type())[0] = foreign;
    all.add(new WeakReference<>(foreign));
  }

  @Override
  protected @Nullable BufferAccess computeValue(Class<?> type) {
    for (WeakReference<BufferAccess> each : all) {
      BufferAccess foreign = each.get();
      if (foreign != null && foreign.covers(type)) {
        return foreign;
      }
    }
    return null;
  }
}
