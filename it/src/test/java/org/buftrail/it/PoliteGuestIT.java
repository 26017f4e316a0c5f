package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.it.programs.LateChoices;
import org.buftrail.it.programs.Metered;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the application chooses for its JVM, and what it brings, counts. */
final class PoliteGuestIT {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "report=flows.json",
        "report=flows.json;http=0",
        "report=flows.json;snapshotDir=snapshots;every=1s;alert=leaked>1",
        "report=flows.json;otlp=http://127.0.0.1:9;otlpEvery=1s",
        "report=flows.json;metricsHandlers=micrometer,opentelemetry;metricsEvery=1s",
      })
  void theApplicationMayChooseItsLogManagerAndItsMBeanServerLate(String options) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .option("-Xlog:class+load:file=classes.txt")
            .agent(options)
            .run(LateChoices.class);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out().lines()).containsExactly("OwnLogManager", "own server");
    String own = LateChoices.OwnLogManager.class.getName();
    List<String> loaded = Files.readAllLines(directory.resolve("classes.txt"));
    assertThat(loaded).anyMatch(line -> line.contains(own));
    assertThat(loaded.stream().takeWhile(line -> !line.contains(own)))
        .as("nothing looks for the application's logging before it chose its own")
        .noneMatch(line -> line.contains("jdk.internal.logger.LazyLoggers"));
  }

  /** Micrometer in a jar of jars, where the class path's loader does not see it. */
  private ForkedJvm.Result runNested(String options, List<Path> more, String... arguments)
      throws IOException, InterruptedException {
    Path jar = directory.resolve("application.jar");
    List<Path> libraries = new ArrayList<>(Setting.newest().nettyJars());
    for (String name : List.of("core", "commons", "observation")) {
      libraries.add(Setting.loading("micrometer-" + name + ".jar"));
    }
    libraries.addAll(more);
    try (Jars jars =
        new Jars(
            jar,
            "Main-Class",
            "org.springframework.boot.loader.launch.JarLauncher",
            "Start-Class",
            Metered.class.getName(),
            "Spring-Boot-Classes",
            "BOOT-INF/classes/",
            "Spring-Boot-Lib",
            "BOOT-INF/lib/")) {
      jars.unpacked(Setting.loading("spring-boot-loader.jar"))
          .directories("BOOT-INF/", "BOOT-INF/classes/", "BOOT-INF/lib/")
          .classes(Setting.PROGRAMS, "BOOT-INF/classes/", "org/buftrail/it/programs/")
          .nested(libraries, "BOOT-INF/lib/");
    }
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .agent("report=flows.json;metricsEvery=1s" + options)
            .runCommand("-jar", jar.toString(), arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }

  @Test
  void metersAreInTheRegistryOfAnApplicationInANestedJarLauncher() throws Exception {
    ForkedJvm.Result result = runNested(";metricsHandlers=micrometer", List.of());
    assertThat(result.out()).as(result.err()).isEqualTo("metered");
  }

  @Test
  void anApplicationMayBringTheMetersAndBindThemItself() throws Exception {
    ForkedJvm.Result result =
        runNested("", List.of(Setting.metrics()), "org.buftrail.metrics.FlowMeters");
    assertThat(result.out()).as(result.err()).isEqualTo("metered");
  }

  @Test
  void aLibraryThatIsNotThereIsSaidAtOnce() throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .agent("report=flows.json;metricsHandlers=micrometer")
            .run(LateChoices.class);
    assertThat(result.agentLines())
        .contains(
            "buftrail: no metrics handler org.buftrail.metrics.FlowMeters yet:"
                + " io.micrometer.core.instrument.binder.MeterBinder is not there; it is looked for"
                + " again while the application runs");
  }
}
