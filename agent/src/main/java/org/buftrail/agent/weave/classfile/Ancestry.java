package org.buftrail.agent.weave.classfile;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Says of a type whether it is of a certain kind or a subtype of one that is, from class files,
 * without loading a class of the application.
 *
 * <p>Thread-safe. Answers are kept by class loader and name, up to a bound for each loader, and go
 * with the loader. A type that cannot be found is taken not to be of the kind, and is looked for
 * again: see {@link Supertypes}.
 */
public final class Ancestry {
  private static final int MAX_KEPT = 20_000;
  private static final int MAX_DEPTH = 32;

  private final Predicate<String> isOfKind;

  /** Whether a type of the JDK may be of the kind. */
  private final boolean inJdk;

  private final PerLoader<Map<String, Answer>> known = new PerLoader<>(ConcurrentHashMap::new);

  private enum Answer {
    YES,
    NO,
    UNKNOWN;

    Answer or(Answer other) {
      return this == YES || other == NO ? this : other;
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

  /** Returns the ancestry of one class or interface. */
  public static Ancestry of(String internalName) {
    return new Ancestry(internalName::equals, Names.isOfJdk(internalName));
  }

  /** Whether {@code internalName} is of the kind or a subtype of one that is. */
  public boolean includes(@Nullable ClassLoader loader, String internalName) {
    if (!inJdk && Names.isOfJdk(internalName)) {
      return false;
    }
    // Known as a rule, and then that is all the JVM has to compile.
    Answer kept = known.get(loader).get(internalName);
    return (kept != null ? kept : answer(loader, internalName, 0)) == Answer.YES;
  }

  /** Whether it is known of {@code internalName} that it is none, whatever loads later. */
  public boolean excludes(@Nullable ClassLoader loader, String internalName) {
    return Names.isOfJdk(internalName) ? !inJdk : known.get(loader).get(internalName) == Answer.NO;
  }

  /** Like the check by name, for a loaded class. */
  public boolean includes(Class<?> c) {
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
   * Like the check by name, for a class that is about to load, from its file.
   *
   * <p>For a class of the JDK only the direct parents count: to look further would load classes or
   * read files by means that the JDK may be loading just now, which ends in a {@link
   * ClassCircularityError}.
   */
  public boolean includes(@Nullable ClassLoader loader, ClassHead head) {
    String name = head.name();
    if (!Names.isOfJdk(name)) {
      return isOfKind.test(name) || parents(loader, new Supertypes.Direct(head), 0) == Answer.YES;
    }
    for (String parent : head.interfaces()) {
      if (isOfKind.test(parent)) {
        return true;
      }
    }
    String parent = head.superclass();
    return isOfKind.test(name) || (parent != null && isOfKind.test(parent));
  }

  private Answer answer(@Nullable ClassLoader loader, String name, int depth) {
    if (isOfKind.test(name)) {
      return Answer.YES;
    }
    boolean ofJdk = Names.isOfJdk(name);
    if (depth > MAX_DEPTH || (ofJdk && !inJdk) || name.startsWith(Names.RUNTIME)) {
      return Answer.NO;
    }
    // The JDK's types are the same in every loader.
    Map<String, Answer> answers = known.get(ofJdk ? null : loader);
    Answer kept = answers.get(name);
    if (kept != null) {
      return kept;
    }
    Answer found = ofJdk ? isInJdk(name) : parents(loader, Supertypes.of(loader, name), depth);
    if (found != Answer.UNKNOWN && answers.size() < MAX_KEPT) {
      answers.put(name, found);
    }
    return found;
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
  private Answer parents(
      @Nullable ClassLoader loader, Supertypes.@Nullable Direct parents, int depth) {
    if (parents == null) {
      return Answer.UNKNOWN;
    }
    Answer all = Answer.NO;
    for (String parent : parents.interfaces) {
      all = all.or(answer(loader, parent, depth + 1));
    }
    String parent = parents.superclass;
    return parent == null || (!inJdk && Names.isOfJdk(parent))
        ? all
        : all.or(answer(loader, parent, depth + 1));
  }
}
