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
 * <p>Thread-safe. Answers are kept by class loader and name, up to a bound for each loader, and go
 * with the loader. A type that cannot be found is taken not to be of the kind, and is looked for
 * again a while later: it may be in another loader, or come with a jar that is added.
 */
public final class Ancestry {
  private static final int MAX_KEPT = 20_000;
  private static final int MAX_DEPTH = 32;

  /** Ten seconds. */
  private static final long MISSING_NANOS = 10_000_000_000L;

  private static final int MAX_CLASS_FILE = 16 << 20;

  private final Predicate<String> isOfKind;

  /** Whether a type of the JDK may be of the kind. */
  private final boolean inJdk;

  private final PerLoader<Answers> known = new PerLoader<>(Answers::new);

  private enum Answer {
    YES,
    NO,
    UNKNOWN;

    Answer or(Answer other) {
      return this == YES || other == NO ? this : other;
    }
  }

  /** What is known of types as one loader sees them. */
  private static final class Answers {
    final Map<String, Answer> found = new ConcurrentHashMap<>();

    /** Names of types that were not found, and when, in nanoseconds. */
    final Map<String, Long> missing = new ConcurrentHashMap<>();

    boolean isMissing(String name) {
      Long since = missing.get(name);
      return since != null && System.nanoTime() - since < MISSING_NANOS;
    }
  }

  /**
   * @param isOfKind tests an internal name
   */
  private Ancestry(Predicate<String> isOfKind, boolean inJdk) {
    this.isOfKind = isOfKind;
    this.inJdk = inJdk;
  }

  /** Of types of the application and its libraries whose internal names pass a test. */
  public static Ancestry ofNamed(Predicate<String> isOfKind) {
    return new Ancestry(isOfKind, false);
  }

  /** Of one class or interface. */
  static Ancestry of(String internalName) {
    return new Ancestry(internalName::equals, Names.isOfJdk(internalName));
  }

  /** Whether {@code internalName} is of the kind or a subtype of one that is. */
  boolean includes(@Nullable ClassLoader loader, String internalName) {
    return answer(loader, internalName, 0) == Answer.YES;
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
  public boolean includes(@Nullable ClassLoader loader, ClassReader reader) {
    if (!Names.isOfJdk(reader.getClassName())) {
      return isOfKind.test(reader.getClassName()) || parents(loader, reader, 0) == Answer.YES;
    }
    for (String parent : reader.getInterfaces()) {
      if (isOfKind.test(parent)) {
        return true;
      }
    }
    String parent = reader.getSuperName();
    return isOfKind.test(reader.getClassName()) || (parent != null && isOfKind.test(parent));
  }

  private Answer answer(@Nullable ClassLoader loader, String name, int depth) {
    if (isOfKind.test(name)) {
      return Answer.YES;
    }
    boolean ofJdk = Names.isOfJdk(name);
    if (depth > MAX_DEPTH || (ofJdk && !inJdk)) {
      return Answer.NO;
    }
    // The JDK's types are the same in every loader.
    Answers answers = known.get(ofJdk ? null : loader);
    Answer kept = answers.found.get(name);
    if (kept != null) {
      return kept;
    }
    Answer found = ofJdk ? isInJdk(name) : read(answers, loader, name, depth);
    if (found != Answer.UNKNOWN && answers.found.size() < MAX_KEPT) {
      answers.found.put(name, found);
    }
    return found;
  }

  private Answer read(Answers answers, @Nullable ClassLoader loader, String name, int depth) {
    if (answers.isMissing(name)) {
      return Answer.UNKNOWN;
    }
    ClassReader reader = read(loader, name);
    if (reader != null) {
      answers.missing.remove(name);
      return parents(loader, reader, depth);
    }
    if (answers.missing.size() >= MAX_KEPT) {
      answers.missing.clear();
    }
    answers.missing.put(name, System.nanoTime());
    return Answer.UNKNOWN;
  }

  /** The JDK's classes may be loaded, which they are as soon as a subtype is. */
  private Answer isInJdk(String name) {
    try {
      ClassLoader platform = ClassLoader.getPlatformClassLoader();
      boolean included = includes(Class.forName(Names.binary(name), false, platform));
      return included ? Answer.YES : Answer.NO;
    } catch (ClassNotFoundException | LinkageError e) {
      return Answer.UNKNOWN;
    }
  }

  /** What those above say: unknown when none is of the kind, and one was not found. */
  private Answer parents(@Nullable ClassLoader loader, ClassReader reader, int depth) {
    Answer all = Answer.NO;
    for (String parent : reader.getInterfaces()) {
      all = all.or(answer(loader, parent, depth + 1));
    }
    String parent = reader.getSuperName();
    return parent == null ? all : all.or(answer(loader, parent, depth + 1));
  }

  /** The class file of a type as a loader sees it, or null. */
  public static @Nullable ClassReader read(@Nullable ClassLoader loader, String name) {
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
