package org.buftrail.agent.weave.classfile;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the strings in the constant pools of loaded classes: names and types of what they declare
 * and call.
 *
 * <p>The only way to see what a loaded class is made of without having it redefined and without
 * running code of its loader. Nothing is resolved by it. Thread-safe.
 */
public final class ConstantPools {
  private @Nullable Access access;
  private boolean opened;

  /**
   * All strings of a class, or null when they cannot be read.
   *
   * @param instrumentation opens them at the first call
   */
  public synchronized @Nullable Set<String> strings(Class<?> c, Instrumentation instrumentation) {
    if (!opened) {
      opened = true;
      access = Access.open(instrumentation);
    }
    return access == null ? null : access.strings(c);
  }

  /** Made once: method handles that are used much become classes of their own. */
  private static final class Access {
    private static final MethodType NUMBER = MethodType.methodType(int.class, Object.class);
    private static final MethodType AT =
        MethodType.methodType(Object.class, Object.class, int.class);

    private final MethodHandle poolOf;
    private final MethodHandle size;
    private final MethodHandle tagAt;
    private final MethodHandle stringAt;
    private final Object stringTag;

    Access(Class<?> secrets, Object access) throws ReflectiveOperationException {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Class<?> pool = Class.forName("jdk.internal.reflect.ConstantPool");
      Class<?> accessType = secrets.getMethod("getJavaLangAccess").getReturnType();
      poolOf =
          lookup
              .unreflect(accessType.getMethod("getConstantPool", Class.class))
              .bindTo(access)
              .asType(MethodType.methodType(Object.class, Class.class));
      size = lookup.unreflect(pool.getMethod("getSize")).asType(NUMBER);
      tagAt = lookup.unreflect(pool.getMethod("getTagAt", int.class)).asType(AT);
      stringAt = lookup.unreflect(pool.getMethod("getUTF8At", int.class)).asType(AT);
      stringTag = Class.forName(pool.getName() + "$Tag").getField("UTF8").get(null);
    }

    /** Null on a JVM that does not let anybody look. */
    static @Nullable Access open(Instrumentation instrumentation) {
      Module base = Object.class.getModule();
      Set<Module> us = Set.of(ConstantPools.class.getModule());
      String home =
          base.getPackages().contains("jdk.internal.access")
              ? "jdk.internal.access"
              : "jdk.internal.misc";
      try {
        Map<String, Set<Module>> exports = new HashMap<>();
        exports.put(home, us);
        exports.put("jdk.internal.reflect", us);
        instrumentation.redefineModule(base, Set.of(), exports, Map.of(), Set.of(), Map.of());
        Class<?> secrets = Class.forName(home + ".SharedSecrets");
        return new Access(secrets, secrets.getMethod("getJavaLangAccess").invoke(null));
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        return null;
      }
    }

    /** All strings of a class, or null when they cannot be read. */
    @Nullable Set<String> strings(Class<?> c) {
      try {
        Object pool = (Object) poolOf.invokeExact(c);
        if (pool == null) {
          return null;
        }
        int count = (int) size.invokeExact(pool);
        Set<String> strings = new HashSet<>();
        for (int i = 1; i < count; i++) {
          if ((Object) tagAt.invokeExact(pool, i) == stringTag) {
            strings.add((String) (Object) stringAt.invokeExact(pool, i));
          }
        }
        return strings;
      } catch (Throwable e) {
        return null;
      }
    }
  }
}
