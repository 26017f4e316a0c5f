package org.buftrail.agent;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.buftrail.agent.application.ApplicationLoaders;
import org.buftrail.agent.application.Extensions;
import org.buftrail.model.ErrorText;
import org.buftrail.model.TrackedResource;

/** Finds what the application says of its resources. What goes wrong there costs one line. */
final class ApplicationResources {
  private final ClassLoader loader;
  private final Consumer<String> log;
  private final List<String> missing = new ArrayList<>();

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
      } catch (ClassNotFoundException e) {
        missing.add(name);
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
    return found;
  }

  /**
   * Those that are services, and those that an option names and that were not there yet; to be
   * asked again and again.
   */
  Runnable later(Instrumentation instrumentation, Consumer<ResourceOption> to) {
    Extensions<TrackedResource> later =
        new Extensions<>(
            TrackedResource.class,
            "tracked resource",
            missing,
            (name, where) -> Class.forName(name, true, where),
            new ApplicationLoaders(instrumentation),
            resource -> add(resource, to),
            log);
    return () -> later.look(System.nanoTime());
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
