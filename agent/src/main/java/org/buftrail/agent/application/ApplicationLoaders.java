package org.buftrail.agent.application;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The class loaders in which the application may be: those of the libraries that the agent has to
 * do with, that of its main thread, and the system's. Thread-safe.
 */
public final class ApplicationLoaders implements Supplier<List<ClassLoader>> {
  private static final Set<String> LIBRARIES =
      Set.of(
          "io.netty.buffer.ByteBuf",
          MetersInApplication.MICROMETER,
          MetersInApplication.OPEN_TELEMETRY);

  private static final long MAIN_THREAD = 1;

  private final Instrumentation instrumentation;

  /** Asks a JVM. */
  public ApplicationLoaders(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /**
   * Returns the current loaders. Takes milliseconds: it goes through all classes that are loaded.
   */
  @Override
  public List<ClassLoader> get() {
    Set<ClassLoader> loaders = new LinkedHashSet<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      ClassLoader loader = type.getClassLoader();
      if (loader != null && LIBRARIES.contains(type.getName())) {
        loaders.add(loader);
      }
    }
    ClassLoader main = mainLoader();
    if (main != null) {
      loaders.add(main);
    }
    loaders.add(ClassLoader.getSystemClassLoader());
    return new ArrayList<>(loaders);
  }

  /** Null when the main thread has ended. */
  @SuppressWarnings("deprecation") // The name that Java 11 has for a thread's number.
  private static @Nullable ClassLoader mainLoader() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group != null && group.getParent() != null) {
      group = group.getParent();
    }
    Thread[] threads = new Thread[group == null ? 0 : group.activeCount() + 16];
    int count = group == null ? 0 : group.enumerate(threads, true);
    for (int i = 0; i < count; i++) {
      Thread thread = threads[i];
      if (thread != null && thread.getId() == MAIN_THREAD) {
        return thread.getContextClassLoader();
      }
    }
    return null;
  }
}
