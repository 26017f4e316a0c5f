package org.buftrail.agent.weave.netty4;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.buftrail.agent.weave.classfile.PerLoader;
import org.buftrail.flow.state.Owners;
import org.jspecify.annotations.Nullable;

/**
 * Which classes got a method that reads their {@link HeldBufferField}.
 *
 * <p>A class gets it while it loads and at no other time, and must get it again whenever it is
 * retransformed. Thread-safe.
 */
final class HeldBufferFields {
  private final HeldBufferField.Kinds kinds = new HeldBufferField.Kinds();
  private final PerLoader<Map<String, HeldBufferField>> woven =
      new PerLoader<>(ConcurrentHashMap::new);

  /** Whether a class got its method as it loaded, for whatever reason there was then. */
  boolean isKnown(@Nullable ClassLoader loader, String name) {
    return woven.get(loader).containsKey(name);
  }

  /**
   * The class with the method, or null where it has none.
   *
   * @param loaded the class, if it is loaded already
   */
  byte @Nullable [] weave(
      @Nullable ClassLoader loader, String name, @Nullable Class<?> loaded, byte[] classFile) {
    HeldBufferField part =
        loaded == null
            ? HeldBufferField.of(loader, classFile, name, kinds)
            : woven.get(loader).get(name);
    if (loaded == null && kinds.isAboveOthers(loader, name, classFile, part)) {
      Owners.expectOthers();
    }
    if (part == null || (loaded != null && !part.isOf(loaded))) {
      return null;
    }
    byte[] more = part.weave(classFile);
    woven.get(loader).put(name, part);
    return more;
  }
}
