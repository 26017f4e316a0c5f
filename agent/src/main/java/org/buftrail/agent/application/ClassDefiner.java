package org.buftrail.agent.application;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Defines classes in any loader, the bootstrap loader too.
 *
 * <p>The JDK's package that can do it is exported to the agent's own loader and to nothing else.
 * Thread-safe.
 */
public final class ClassDefiner {
  private final Object unsafe;
  private final Method define;

  /**
   * @param instrumentation exports what is needed
   * @throws ReflectiveOperationException where the JDK has it no more
   */
  public ClassDefiner(Instrumentation instrumentation) throws ReflectiveOperationException {
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of("jdk.internal.misc", Set.of(ClassDefiner.class.getModule())),
        Map.of(),
        Set.of(),
        Map.of());
    Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
    unsafe = type.getMethod("getUnsafe").invoke(null);
    define =
        type.getMethod(
            "defineClass",
            String.class,
            byte[].class,
            int.class,
            int.class,
            ClassLoader.class,
            ProtectionDomain.class);
  }

  /**
   * Defines one.
   *
   * @param internalName {@code com/example/Outer$Inner}
   * @param loader null for the bootstrap loader
   * @throws ReflectiveOperationException when the loader has one of that name, or it cannot be
   *     linked to what it extends
   */
  public Class<?> define(String internalName, byte[] classFile, @Nullable ClassLoader loader)
      throws ReflectiveOperationException {
    return (Class<?>)
        define.invoke(unsafe, internalName, classFile, 0, classFile.length, loader, null);
  }
}
