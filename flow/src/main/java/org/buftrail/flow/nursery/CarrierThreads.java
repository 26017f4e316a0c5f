package org.buftrail.flow.nursery;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Says which platform thread a virtual one is mounted on.
 *
 * <p>The JDK answers such questions only to itself. The agent has the package exported to us,
 * before this class is initialised.
 */
public final class CarrierThreads {
  /** Null where the JVM does not let us ask, and before there are virtual threads. */
  private static final @Nullable MethodHandle CURRENT = find();

  private CarrierThreads() {}

  /**
   * The carrier of the current thread, which it keeps until it waits or yields. Null when that is
   * not known.
   */
  public static @Nullable Thread current() {
    MethodHandle current = CURRENT;
    if (current == null) {
      return null;
    }
    try {
      return (Thread) current.invokeExact();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static @Nullable MethodHandle find() {
    try {
      // First, so that before there are virtual threads nothing else is looked for.
      Class.forName("java.lang.BaseVirtualThread", false, null);
      Class<?> secrets = Class.forName("jdk.internal.access.SharedSecrets");
      Class<?> access = Class.forName("jdk.internal.access.JavaLangAccess");
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      MethodType carrier = MethodType.methodType(Thread.class);
      MethodHandle question = lookup.findVirtual(access, "currentCarrierThread", carrier);
      MethodHandle answering =
          lookup.findStatic(secrets, "getJavaLangAccess", MethodType.methodType(access));
      return question.bindTo(answering.invoke());
    } catch (Throwable e) {
      // None, or they share rings: slower, and as exact.
      return null;
    }
  }
}
