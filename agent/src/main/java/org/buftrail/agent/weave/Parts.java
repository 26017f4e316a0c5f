package org.buftrail.agent.weave;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which classes got a method that reads their {@link Part}.
 *
 * <p>A class gets it while it loads and at no other time, and must get it again whenever it is
 * retransformed. Loaders are held weakly. Thread-safe.
 */
final class Parts {
  private final Part.Kinds kinds = new Part.Kinds();
  private final Map<ClassLoader, Map<String, Part>> woven =
      Collections.synchronizedMap(new WeakHashMap<>());
  private final Map<String, Part> wovenInBootstrap = new ConcurrentHashMap<>();

  /**
   * The class with the method, or null where it has none.
   *
   * @param loaded whether the class is loaded already
   */
  byte @Nullable [] weave(
      @Nullable ClassLoader loader, String name, boolean loaded, byte[] classFile) {
    Part part = loaded ? known(loader).get(name) : Part.of(loader, classFile, name, kinds);
    if (part == null) {
      return null;
    }
    byte[] more = part.weave(classFile);
    known(loader).put(name, part);
    return more;
  }

  private Map<String, Part> known(@Nullable ClassLoader loader) {
    return loader == null
        ? wovenInBootstrap
        : woven.computeIfAbsent(loader, any -> new ConcurrentHashMap<>());
  }
}
