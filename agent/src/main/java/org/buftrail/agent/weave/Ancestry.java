package org.buftrail.agent.weave;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/**
 * Says of a type whether it is or holds a buffer, from class files, without loading a class.
 *
 * <p>Thread-safe. Answers are kept by name, up to a bound; a type that cannot be found is taken not
 * to.
 */
final class Ancestry {
  private static final int MAX_KEPT = 20_000;
  private static final int MAX_DEPTH = 32;
  private static final int MAX_CLASS_FILE = 16 << 20;

  private final Map<String, Boolean> carriers = new ConcurrentHashMap<>();

  /**
   * Whether {@code internalName} is Netty's {@code ByteBuf} or {@code ByteBufHolder}, or a subtype.
   */
  boolean isCarrier(@Nullable ClassLoader loader, String internalName) {
    return isCarrier(loader, internalName, 0);
  }

  private boolean isCarrier(@Nullable ClassLoader loader, String name, int depth) {
    if (name.startsWith("java/") || depth > MAX_DEPTH) {
      return false;
    }
    if (Names.isBuffer(name) || Names.isHolder(name)) {
      return true;
    }
    Boolean known = carriers.get(name);
    if (known == null) {
      known = readIsCarrier(loader, name, depth);
      if (carriers.size() < MAX_KEPT) {
        carriers.put(name, known);
      }
    }
    return known;
  }

  /** Whether the class that is read is a subtype of one. */
  boolean extendsCarrier(@Nullable ClassLoader loader, ClassReader reader) {
    return extendsCarrier(loader, reader, 0);
  }

  private boolean readIsCarrier(@Nullable ClassLoader loader, String name, int depth) {
    ClassReader reader = read(loader, name);
    return reader != null && extendsCarrier(loader, reader, depth);
  }

  private boolean extendsCarrier(@Nullable ClassLoader loader, ClassReader reader, int depth) {
    for (String parent : reader.getInterfaces()) {
      if (isCarrier(loader, parent, depth + 1)) {
        return true;
      }
    }
    String parent = reader.getSuperName();
    return parent != null && isCarrier(loader, parent, depth + 1);
  }

  private static @Nullable ClassReader read(@Nullable ClassLoader loader, String name) {
    String resource = name + ".class";
    try (InputStream in =
        loader == null
            ? ClassLoader.getSystemResourceAsStream(resource)
            : loader.getResourceAsStream(resource)) {
      return in == null ? null : new ClassReader(in.readNBytes(MAX_CLASS_FILE));
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }
}
