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
 * Thread-safe. An answer is found once for each class; whoever adds a Netty makes a new one.
 */
final class ForeignTypes extends ClassValue<@Nullable Foreign> {
  /** What a class keeps alive, for as long as it lives itself. */
  private final ClassValue<Foreign[]> keepers =
      new ClassValue<>() {
        @Override
        protected Foreign[] computeValue(Class<?> type) {
          return new Foreign[1];
        }
      };

  private final List<WeakReference<Foreign>> all = new ArrayList<>();

  /** Those of {@code before} that still live, and one more. */
  ForeignTypes(@Nullable ForeignTypes before, Foreign more) {
    for (WeakReference<Foreign> each :
        before == null ? List.<WeakReference<Foreign>>of() : before.all) {
      Foreign foreign = each.get();
      if (foreign != null && foreign != more) {
        add(foreign);
      }
    }
    add(more);
  }

  boolean areLessExact() {
    for (WeakReference<Foreign> each : all) {
      Foreign foreign = each.get();
      if (foreign != null && foreign.isLessExact()) {
        return true;
      }
    }
    return false;
  }

  private void add(Foreign foreign) {
    keepers.get(foreign.type())[0] = foreign;
    all.add(new WeakReference<>(foreign));
  }

  @Override
  protected @Nullable Foreign computeValue(Class<?> type) {
    for (WeakReference<Foreign> each : all) {
      Foreign foreign = each.get();
      if (foreign != null && foreign.covers(type)) {
        return foreign;
      }
    }
    return null;
  }
}
