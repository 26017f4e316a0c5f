package org.buftrail.agent;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.buftrail.flow.TrackedResource;

/** Finds what the application says of its resources. What goes wrong there costs one line. */
final class ApplicationResources {
  private final ClassLoader loader;
  private final Consumer<String> log;

  /**
   * @param loader the application's
   * @param log takes a line for each that cannot be had
   */
  ApplicationResources(ClassLoader loader, Consumer<String> log) {
    this.loader = loader;
    this.log = log;
  }

  /** Those that an option names. */
  List<ResourceOption> named(List<String> classes) {
    List<ResourceOption> found = new ArrayList<>();
    for (String name : classes) {
      try {
        Class<?> type = Class.forName(name, true, loader);
        add((TrackedResource) type.getDeclaredConstructor().newInstance(), found::add);
      } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
        log.accept(
            "no tracked resource "
                + name
                + ": it must be a public class with a constructor without parameters that"
                + " implements "
                + TrackedResource.class.getName()
                + " ("
                + e
                + ")");
      }
    }
    return found;
  }

  /** Those that are services. */
  void services(Consumer<ResourceOption> to) {
    Iterator<TrackedResource> services =
        ServiceLoader.load(TrackedResource.class, loader).iterator();
    while (true) {
      try {
        if (!services.hasNext()) {
          return;
        }
        add(services.next(), to);
      } catch (ServiceConfigurationError e) {
        log.accept("a tracked resource cannot be loaded: " + e.getMessage());
      }
    }
  }

  /** One that the application made. */
  void add(TrackedResource resource, Consumer<ResourceOption> to) {
    ResourceOption option;
    try {
      option = ResourceOption.of(resource);
    } catch (Throwable e) {
      log.accept("the tracked resource " + resource.getClass().getName() + " is not used: " + e);
      return;
    }
    to.accept(option);
  }
}
