package org.buftrail.boot;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Whether an agent has started in this JVM.
 *
 * <p>The flag that counts is that of the bootstrap loader's copy of this class: there is one of it
 * whatever number of jars brings the class along.
 */
public final class Started {
  private static final AtomicBoolean TAKEN = new AtomicBoolean();

  private Started() {}

  /** Whether an agent of this or another jar has been here. */
  static boolean isTaken() throws ReflectiveOperationException {
    AtomicBoolean flag = bootstrapFlag();
    return flag != null && flag.get();
  }

  /** Claims the JVM; false if another agent was first. */
  static boolean take() throws ReflectiveOperationException {
    AtomicBoolean flag = bootstrapFlag();
    return flag != null && flag.compareAndSet(false, true);
  }

  /** The flag of this copy of the class. */
  public static AtomicBoolean flag() {
    return TAKEN;
  }

  private static @Nullable AtomicBoolean bootstrapFlag() throws ReflectiveOperationException {
    try {
      Class<?> shared = Class.forName(Started.class.getName(), true, null);
      return (AtomicBoolean) shared.getMethod("flag").invoke(null);
    } catch (ClassNotFoundException notYetAppended) {
      return null;
    }
  }
}
