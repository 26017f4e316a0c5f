package org.buftrail.agent.application;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.buftrail.model.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the application offers the agent: classes that options name, and services.
 *
 * <p>Looked for in every loader that the application has by then, again and again while something
 * is missing, less and less often: an application may load its libraries late. Services are looked
 * for once in each loader, for the first minutes. Used by one thread.
 *
 * @param <T> what the classes implement
 */
public final class Extensions<T> {
  private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(60);

  /** Failures allowed in one loader: a loader that cannot list its services fails at every step. */
  private static final int MOST_FAILURES = 16;

  private final Class<T> type;

  private final String what;
  private final Finder finder;
  private final Supplier<List<ClassLoader>> loaders;
  private final Consumer<T> found;
  private final Consumer<String> log;

  private List<String> missing;
  private final Set<ClassLoader> searched = Collections.newSetFromMap(new WeakHashMap<>());

  /** Classes of services that are there, which further loaders find again. */
  private final Set<Class<?>> known = Collections.newSetFromMap(new WeakHashMap<>());

  private final Set<String> said = new HashSet<>();
  private long pause = FIRST_PAUSE;
  private long due;
  private boolean began;
  private boolean ended;

  /** Finds a class. */
  public interface Finder {
    /** By its name, where a loader sees it. */
    Class<?> find(String name, ClassLoader loader) throws ClassNotFoundException;
  }

  /**
   * Nothing is looked for yet.
   *
   * @param what they are called, such as {@code metrics handler}
   * @param names of classes to make
   * @param loaders the application's at that time, the likeliest first
   * @param found takes each, once
   * @param log takes a line for each that is missing at first, for those that come later, and for
   *     what is no such class
   */
  public Extensions(
      Class<T> type,
      String what,
      List<String> names,
      Finder finder,
      Supplier<List<ClassLoader>> loaders,
      Consumer<T> found,
      Consumer<String> log) {
    this.type = type;
    this.what = what;
    this.finder = finder;
    this.loaders = loaders;
    this.found = found;
    this.log = log;
    this.missing = new ArrayList<>(names);
  }

  /** Looks for other classes in place of those that are still missing. */
  public void lookFor(List<String> names) {
    missing = new ArrayList<>(names);
    said.clear();
    pause = FIRST_PAUSE;
    began = false;
    ended = false;
  }

  /**
   * Looks, if it is time to.
   *
   * @param nanos a clock that never goes back
   */
  public void look(long nanos) {
    if (ended || (began && nanos - due < 0)) {
      return;
    }
    began = true;
    due = nanos + pause;
    ended = missing.isEmpty() && pause == LONGEST_PAUSE;
    pause = Math.min(LONGEST_PAUSE, pause * 2);
    List<ClassLoader> all = loaders.get();
    missing.removeIf(name -> isSettled(name, all));
    for (ClassLoader loader : all) {
      if (searched.add(loader)) {
        services(loader);
      }
    }
  }

  /** Whether a class was found, or what was found is none. */
  private boolean isSettled(String name, List<ClassLoader> all) {
    for (ClassLoader loader : all) {
      try {
        Class<?> implementation = find(name, loader);
        if (implementation == null) {
          continue;
        }
        found.accept(type.cast(implementation.getDeclaredConstructor().newInstance()));
        if (said.contains(name)) {
          log.accept(what + " " + name + ": found");
        }
        return true;
      } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
        log.accept(
            ("no " + what + " " + name + ": it must be a public class with a constructor")
                + (" without parameters that implements " + type.getName())
                + (" (" + ErrorText.of(e) + ")"));
        return true;
      }
    }
    if (said.add(name)) {
      String library = MetersInApplication.library(name);
      log.accept(
          ("no " + what + " " + name + " yet: ")
              + (library == null ? "the application has no such class" : library + " is not there")
              + "; it is looked for again while the application runs");
    }
    return false;
  }

  /**
   * Null where it is not there, or not yet, or where the loader of a stopped application throws.
   */
  private @Nullable Class<?> find(String name, ClassLoader loader) {
    try {
      return finder.find(name, loader);
    } catch (ClassNotFoundException | RuntimeException e) {
      return null;
    }
  }

  private void services(ClassLoader loader) {
    Iterator<ServiceLoader.Provider<T>> services =
        ServiceLoader.load(type, loader).stream().iterator();
    int failures = 0;
    while (failures < MOST_FAILURES) {
      try {
        if (!services.hasNext()) {
          return;
        }
        ServiceLoader.Provider<T> service = services.next();
        if (known.add(service.type())) {
          found.accept(service.get());
        }
      } catch (RuntimeException | Error e) {
        failures++;
        log.accept("a " + what + " cannot be loaded: " + ErrorText.of(e));
      }
    }
    log.accept("no more services are looked for in " + loader.getClass().getName());
  }
}
