package org.buftrail.agent;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.buftrail.agent.application.ApplicationLoaders;
import org.buftrail.agent.application.Extensions;
import org.buftrail.agent.options.ResourceOption;
import org.buftrail.model.ErrorText;
import org.buftrail.model.TrackedResource;

/**
 * Finds what the application says of its resources. What goes wrong there costs one line.
 * Thread-safe.
 */
final class ApplicationResources {
  private final ClassLoader loader;
  private final Consumer<String> log;

  /** Made once for each class that an option names, since a further attach means the same. */
  private final Map<String, TrackedResource> made = new ConcurrentHashMap<>();

  /** Named by an option of this attachment, and not there yet. */
  private volatile List<String> missing = List.of();

  /**
   * @param loader the application's
   * @param log takes a line for each that cannot be had
   */
  ApplicationResources(ClassLoader loader, Consumer<String> log) {
    this.loader = loader;
    this.log = log;
  }

  /** Returns the resources that an option names, in place of those of an earlier attachment. */
  List<ResourceOption> named(List<String> classes) {
    List<ResourceOption> found = new ArrayList<>();
    List<String> notYet = new ArrayList<>();
    for (String name : classes) {
      try {
        TrackedResource known = made.get(name);
        if (known == null) {
          Class<?> type = Class.forName(name, true, loader);
          known = (TrackedResource) type.getDeclaredConstructor().newInstance();
          made.put(name, known);
        }
        add(known, found::add);
      } catch (ClassNotFoundException e) {
        notYet.add(name);
      } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
        log.accept(
            "no tracked resource "
                + name
                + ": it must be a public class with a constructor without parameters that"
                + " implements "
                + TrackedResource.class.getName()
                + " ("
                + ErrorText.of(e)
                + ")");
      }
    }
    missing = List.copyOf(notYet);
    return found;
  }

  /**
   * Those that are services, and those that an option names and that were not there yet; to be
   * asked again and again.
   */
  Runnable later(
      Instrumentation instrumentation,
      Consumer<ResourceOption> named,
      Consumer<ResourceOption> services) {
    return new Search(instrumentation, named, services);
  }

  /** Used by one thread. */
  private final class Search implements Runnable {
    private final Consumer<ResourceOption> named;
    private final Consumer<ResourceOption> services;
    private final Extensions<TrackedResource> extensions;
    private List<String> asked = List.of();

    Search(
        Instrumentation instrumentation,
        Consumer<ResourceOption> named,
        Consumer<ResourceOption> services) {
      this.named = named;
      this.services = services;
      this.extensions =
          new Extensions<>(
              TrackedResource.class,
              "tracked resource",
              asked,
              (name, where) -> Class.forName(name, true, where),
              new ApplicationLoaders(instrumentation),
              this::found,
              log);
    }

    @Override
    public void run() {
      List<String> now = missing;
      if (now != asked) {
        asked = now;
        extensions.lookFor(now);
      }
      extensions.look(System.nanoTime());
    }

    private void found(TrackedResource resource) {
      String name = resource.getClass().getName();
      if (!asked.contains(name)) {
        add(resource, services);
      } else if (asked == missing) {
        made.put(name, resource);
        add(resource, named);
      }
    }
  }

  /** One that the application made. */
  void add(TrackedResource resource, Consumer<ResourceOption> to) {
    ResourceOption option;
    try {
      option = ResourceOption.of(resource);
    } catch (Throwable e) {
      log.accept(
          "the tracked resource "
              + resource.getClass().getName()
              + " is not used: "
              + ErrorText.of(e));
      return;
    }
    to.accept(option);
  }
}
