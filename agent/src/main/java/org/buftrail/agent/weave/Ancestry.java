package org.buftrail.agent.weave;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/**
 * Says of a type whether it is of a certain kind or a subtype of one that is, from class files,
 * without loading a class of the application.
 *
 * <p>Thread-safe. Answers are kept by name, up to a bound; a type that cannot be found is taken not
 * to be of the kind.
 */
final class Ancestry {
  private static final int MAX_KEPT = 20_000;
  private static final int MAX_DEPTH = 32;
  private static final int MAX_CLASS_FILE = 16 << 20;

  private final Predicate<String> isOfKind;

  /** Whether a type of the JDK may be of the kind. */
  private final boolean inJdk;

  private final Map<String, Boolean> known = new ConcurrentHashMap<>();

  /**
   * @param isOfKind tests an internal name
   */
  private Ancestry(Predicate<String> isOfKind, boolean inJdk) {
    this.isOfKind = isOfKind;
    this.inJdk = inJdk;
  }

  /** Of what is or holds a buffer. */
  static Ancestry ofCarriers() {
    return new Ancestry(name -> Names.isBuffer(name) || Names.isHolder(name), false);
  }

  /** Of what is a buffer. */
  static Ancestry ofBuffers() {
    return new Ancestry(Names::isBuffer, false);
  }

  /** Of what is a buffer with a count of its own. */
  static Ancestry ofCountingBuffers() {
    return new Ancestry(Names::isCountingBuffer, false);
  }

  /** Of what holds a buffer. */
  static Ancestry ofHolders() {
    return new Ancestry(Names::isHolder, false);
  }

  /** Of one class or interface. */
  static Ancestry of(String internalName) {
    return new Ancestry(internalName::equals, Names.isOfJdk(internalName));
  }

  /** Whether {@code internalName} is of the kind or a subtype of one that is. */
  boolean includes(@Nullable ClassLoader loader, String internalName) {
    return includes(loader, internalName, 0);
  }

  /** The same of a loaded class. */
  boolean includes(Class<?> c) {
    Class<?> superclass = c.getSuperclass();
    if (isOfKind.test(c.getName().replace('.', '/'))
        || (superclass != null && includes(superclass))) {
      return true;
    }
    for (Class<?> parent : c.getInterfaces()) {
      if (includes(parent)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The same of a class that is about to load, whose file is at hand.
   *
   * <p>Of a class of the JDK only the direct parents count: to look further would load classes or
   * read files by means that the JDK may be loading just now, which ends in a {@link
   * ClassCircularityError}.
   */
  boolean includes(@Nullable ClassLoader loader, ClassReader reader) {
    if (!Names.isOfJdk(reader.getClassName())) {
      return isOfKind.test(reader.getClassName()) || hasParent(loader, reader, 0);
    }
    for (String parent : reader.getInterfaces()) {
      if (isOfKind.test(parent)) {
        return true;
      }
    }
    String parent = reader.getSuperName();
    return isOfKind.test(reader.getClassName()) || (parent != null && isOfKind.test(parent));
  }

  private boolean includes(@Nullable ClassLoader loader, String name, int depth) {
    if (isOfKind.test(name)) {
      return true;
    }
    boolean ofJdk = Names.isOfJdk(name);
    if (depth > MAX_DEPTH || (ofJdk && !inJdk)) {
      return false;
    }
    Boolean kept = known.get(name);
    if (kept == null) {
      kept = ofJdk ? isInJdk(name) : isInFile(loader, name, depth);
      if (known.size() < MAX_KEPT) {
        known.put(name, kept);
      }
    }
    return kept;
  }

  /** The JDK's classes may be loaded, which they are as soon as a subtype is. */
  private boolean isInJdk(String name) {
    try {
      ClassLoader platform = ClassLoader.getPlatformClassLoader();
      return includes(Class.forName(Names.binary(name), false, platform));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private boolean isInFile(@Nullable ClassLoader loader, String name, int depth) {
    ClassReader reader = read(loader, name);
    return reader != null && hasParent(loader, reader, depth);
  }

  private boolean hasParent(@Nullable ClassLoader loader, ClassReader reader, int depth) {
    for (String parent : reader.getInterfaces()) {
      if (includes(loader, parent, depth + 1)) {
        return true;
      }
    }
    String parent = reader.getSuperName();
    return parent != null && includes(loader, parent, depth + 1);
  }

  private static @Nullable ClassReader read(@Nullable ClassLoader loader, String name) {
    String resource = name + ".class";
    try (InputStream in =
        loader == null
            ? ClassLoader.getSystemResourceAsStream(resource)
            : loader.getResourceAsStream(resource)) {
      return in == null ? null : new ClassReader(in.readNBytes(MAX_CLASS_FILE));
    } catch (IOException | RuntimeException | LinkageError e) {
      return null;
    }
  }
}
