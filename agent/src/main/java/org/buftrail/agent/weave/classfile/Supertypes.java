package org.buftrail.agent.weave.classfile;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What types extend and implement, from class files, which are read once for each class loader
 * whoever asks.
 *
 * <p>Thread-safe. Kept up to a bound for each loader, and gone with it. A type that cannot be found
 * is looked for again a while later: it may be in another loader, or come with a jar that is added.
 */
public final class Supertypes {
  private static final int MAX_KEPT = 20_000;

  /** What classes of all kinds extend or implement. */
  private static final Set<String> PLAIN =
      Set.of(
          "java/lang/Object",
          "java/lang/Record",
          "java/lang/AutoCloseable",
          "java/lang/Cloneable",
          "java/io/Closeable",
          "java/io/Serializable");

  /** Ten seconds. */
  private static final long MISSING_NANOS = 10_000_000_000L;

  private static final int MAX_CLASS_FILE = 16 << 20;

  /** The JVM's own, which an application may have replaced by another; null then. */
  private static final @Nullable ClassLoader CLASS_PATH_LOADER = classPathLoader();

  private static final ClassPathFiles CLASS_PATH =
      new ClassPathFiles(System.getProperty("java.class.path", ""));

  private static final PerLoader<Supertypes> KNOWN = new PerLoader<>(Supertypes::new);

  private final Map<String, Direct> found = new ConcurrentHashMap<>();

  /** Names of types that were not found, and when, in nanoseconds. */
  private final Map<String, Long> missing = new ConcurrentHashMap<>();

  private Supertypes() {}

  private static @Nullable ClassLoader classPathLoader() {
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    boolean own = loader.getClass().getName().startsWith("jdk.internal.loader.");
    return own ? loader : null;
  }

  /** What stands directly above one type. */
  static final class Direct {
    final @Nullable String superclass;
    final String[] interfaces;

    Direct(ClassHead head) {
      superclass = head.superclass();
      interfaces = head.interfaces();
    }
  }

  /** What stands above a type as a loader sees it, or null when its class file is not found. */
  static @Nullable Direct of(@Nullable ClassLoader loader, String name) {
    Supertypes known = KNOWN.get(loader);
    Direct kept = known.found.get(name);
    return kept != null ? kept : known.look(loader, name);
  }

  /** A class is about to load: its file need not be read again when others ask for it. */
  public static void note(@Nullable ClassLoader loader, String name, ClassHead head) {
    KNOWN.get(loader).keep(name, new Direct(head));
  }

  private void keep(String name, Direct direct) {
    if (found.size() < MAX_KEPT) {
      found.putIfAbsent(name, direct);
    }
  }

  private @Nullable Direct look(@Nullable ClassLoader loader, String name) {
    Long since = missing.get(name);
    if (since != null && System.nanoTime() - since < MISSING_NANOS) {
      return null;
    }
    ClassHead head = read(loader, name);
    if (head == null) {
      if (missing.size() >= MAX_KEPT) {
        missing.clear();
      }
      missing.put(name, System.nanoTime());
      return null;
    }
    missing.remove(name);
    Direct direct = new Direct(head);
    keep(name, direct);
    return direct;
  }

  /**
   * The names of methods that types above a class declare, but for those above which pass a test;
   * null where one of them is not found. The JDK's plainest are passed over.
   *
   * @param passedOver tests an internal name
   */
  public static @Nullable Set<String> methodsAbove(
      @Nullable ClassLoader loader, String name, Predicate<String> passedOver) {
    Set<String> methods = new HashSet<>();
    Deque<String> left = new ArrayDeque<>();
    Set<String> seen = new HashSet<>();
    for (String next = name; next != null; next = left.poll()) {
      if (!seen.add(next) || PLAIN.contains(next)) {
        continue;
      }
      Direct above = of(loader, next);
      if (above == null) {
        return null;
      }
      if (!next.equals(name) && !passedOver.test(next)) {
        ClassHead head = read(loader, next);
        if (head == null) {
          return null;
        }
        head.methods().forEach(method -> methods.add(method.name));
      }
      left.addAll(List.of(above.interfaces));
      if (above.superclass != null) {
        left.add(above.superclass);
      }
    }
    return methods;
  }

  /** Reads the class file of a type as a loader sees it, or returns null. */
  public static @Nullable ClassHead read(@Nullable ClassLoader loader, String name) {
    byte[] classFile = file(loader, name + ".class");
    try {
      return classFile == null ? null : new ClassHead(classFile);
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** A file as a loader sees it, or null. */
  public static byte @Nullable [] file(@Nullable ClassLoader loader, String resource) {
    byte[] onClassPath =
        loader != null && loader == CLASS_PATH_LOADER ? CLASS_PATH.read(resource) : null;
    try {
      return onClassPath == null ? ask(loader, resource) : onClassPath;
    } catch (IOException | RuntimeException | LinkageError e) {
      return null;
    }
  }

  private static byte @Nullable [] ask(@Nullable ClassLoader loader, String resource)
      throws IOException {
    try (InputStream in =
        loader == null
            ? ClassLoader.getSystemResourceAsStream(resource)
            : loader.getResourceAsStream(resource)) {
      return in == null ? null : in.readNBytes(MAX_CLASS_FILE);
    }
  }
}
