package org.buftrail.agent.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.buftrail.model.FlowMetrics;
import org.buftrail.model.MetricsHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Class loaders of applications that do not do what loaders do. */
final class ExtensionsTest {
  private final List<String> log = new ArrayList<>();
  private final List<MetricsHandler> found = new ArrayList<>();

  private void look(ClassLoader... loaders) {
    look(List.of(), loaders);
  }

  private void look(List<String> names, ClassLoader... loaders) {
    new Extensions<>(
            MetricsHandler.class,
            "metrics handler",
            names,
            (name, loader) -> loader.loadClass(name),
            () -> List.of(loaders),
            found::add,
            log::add)
        .look(0);
  }

  /** After 1, 2, 4 and more seconds, and each minute as long as something is missing. */
  @Test
  void looksAtLongerAndLongerIntervals() {
    List<Long> looks = new ArrayList<>();
    long[] second = new long[1];
    Extensions<MetricsHandler> extensions =
        new Extensions<>(
            MetricsHandler.class,
            "metrics handler",
            List.of("test.Missing"),
            (name, loader) -> loader.loadClass(name),
            () -> {
              looks.add(second[0]);
              return List.of();
            },
            found::add,
            log::add);
    for (second[0] = 0; second[0] < 200; second[0]++) {
      extensions.look(TimeUnit.SECONDS.toNanos(second[0]));
    }
    assertThat(looks).containsExactly(0L, 1L, 3L, 7L, 15L, 31L, 63L, 123L, 183L);
  }

  @Test
  @Timeout(10)
  void aLoaderThatCannotListItsResourcesIsGivenUp() {
    ClassLoader broken =
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          public Enumeration<URL> getResources(String name) throws IOException {
            throw new IOException("closed");
          }
        };
    look(broken);
    assertThat(log).hasSizeBetween(2, 20);
    assertThat(log.get(0)).contains("metrics handler").contains("cannot be loaded");
    assertThat(log.get(log.size() - 1)).startsWith("no more services are looked for");
  }

  /** As those of servers, which answer nothing more once their application was stopped. */
  private static final class Stopped extends ClassLoader {
    @Override
    public Class<?> loadClass(String name) {
      throw new IllegalStateException("stopped already");
    }

    @Override
    public Enumeration<URL> getResources(String name) {
      throw new IllegalStateException("stopped already");
    }
  }

  @Test
  @Timeout(10)
  void theLoaderOfAStoppedApplicationCostsNoOtherItsHandler() {
    look(List.of(Good.class.getName()), new Stopped(), getClass().getClassLoader());
    assertThat(found).singleElement().isInstanceOf(Good.class);
    assertThat(log)
        .filteredOn(line -> !line.contains("cannot be loaded"))
        .containsExactly("no more services are looked for in " + Stopped.class.getName());
  }

  @Test
  @Timeout(10)
  void oneServiceThatCannotBeLinkedCostsItselfAlone(@TempDir Path directory) throws Exception {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(MetricsHandler.class.getName()),
        "com.example.Missing\n" + Unlinkable.class.getName() + "\n" + Good.class.getName() + "\n");
    URL[] urls = {directory.toUri().toURL()};
    ClassLoader parent = getClass().getClassLoader();
    try (URLClassLoader loader = new URLClassLoader(urls, parent)) {
      look(loader);
    }
    assertThat(found).singleElement().isInstanceOf(Good.class);
    assertThat(log).hasSize(2);
    assertThat(log.get(0)).contains("com.example.Missing");
    assertThat(log.get(1)).contains("Unlinkable");
  }

  /** A handler that does nothing. */
  public static class Good implements MetricsHandler {
    @Override
    public String name() {
      return "good";
    }

    @Override
    public Set<String> wanted() {
      return Set.of();
    }

    @Override
    public void onMetrics(FlowMetrics metrics) {
      // Nothing.
    }
  }

  /** As one whose library is missing. */
  public static final class Unlinkable extends Good {
    /** Fails. */
    public Unlinkable() {
      throw new NoClassDefFoundError("not linked");
    }
  }
}
