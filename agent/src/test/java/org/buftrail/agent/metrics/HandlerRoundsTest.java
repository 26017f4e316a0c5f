package org.buftrail.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.model.FlowMetrics;
import org.buftrail.model.MetricsHandler;
import org.buftrail.model.MetricsHandlers;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HandlerRoundsTest {
  private static final List<FlowMetrics> TAKEN = new ArrayList<>();

  private final List<String> log = new ArrayList<>();
  private long nanos = Long.MAX_VALUE - 1_000_000_000;
  private final Snapshot snapshot =
      SnapshotBuilder.none()
          .direct("directBuffer app.A.a", 10, 2, 3)
          .heap("heapBuffer app.B.b", 4, 1, 0)
          .build();

  /** Wants two metrics. */
  public static final class Two implements MetricsHandler {
    @Override
    public String name() {
      return "two";
    }

    @Override
    public Set<String> wanted() {
      return Set.of("direct_leaked_bytes", "live");
    }

    @Override
    public void onMetrics(FlowMetrics metrics) {
      TAKEN.add(metrics);
    }
  }

  /** Fails. */
  public static final class Failing implements MetricsHandler {
    @Override
    public String name() {
      return "failing";
    }

    @Override
    public Set<String> wanted() {
      return Set.of();
    }

    @Override
    public void onMetrics(FlowMetrics metrics) {
      throw new IllegalStateException("registry closed");
    }
  }

  @AfterEach
  void clear() {
    MetricsHandlers.all().forEach(MetricsHandlers::remove);
    TAKEN.clear();
  }

  private HandlerRounds rounds(Class<?>... handlers) {
    List<String> names = new ArrayList<>();
    for (Class<?> handler : handlers) {
      names.add(handler.getName());
    }
    return rounds(names, getClass().getClassLoader());
  }

  private HandlerRounds rounds(List<String> names, ClassLoader... loaders) {
    return new HandlerRounds(
        names,
        (name, loader) -> Class.forName(name, true, loader),
        () -> List.of(loaders),
        60_000,
        () -> nanos,
        log::add);
  }

  @Test
  void aHandlerGetsWhatItWantsAndThePathsThatLeak() {
    HandlerRounds rounds = rounds(Two.class);
    assertThat(rounds.isWanted()).isTrue();
    rounds.look(snapshot);
    assertThat(TAKEN).hasSize(1);
    FlowMetrics metrics = TAKEN.get(0);
    assertThat(metrics.values())
        .containsExactlyInAnyOrderEntriesOf(Map.of("direct_leaked_bytes", 200L, "live", 3L));
    assertThat(metrics.leaks()).hasSize(2);
    assertThat(metrics.takenAtMillis()).isEqualTo(SnapshotBuilder.TAKEN_AT);
  }

  @Test
  void everyMetricHasItsValue() {
    Map<String, Long> values = FlowMetrics.of(snapshot, Set.of()).values();
    assertThat(values.keySet()).isEqualTo(FlowMetrics.names());
    assertThat(values)
        .containsEntry("allocated", 20L)
        .containsEntry("released", 14L)
        .containsEntry("heap_released", 4L)
        .containsEntry("heap_leaked", 1L)
        .containsEntry("leaked_bytes", 300L)
        .containsEntry("direct_live_bytes", 300L)
        .containsEntry("paths", 2L)
        .containsEntry("leak_paths", 2L)
        .containsEntry("oldest_live_millis", 3_000L);
  }

  @Test
  void oneThatFailsIsSaidOnceAndReachesNoOther() {
    HandlerRounds rounds = rounds(Failing.class, Two.class);
    rounds.isWanted();
    rounds.look(snapshot);
    rounds.look(snapshot);
    assertThat(TAKEN).hasSize(2);
    assertThat(log)
        .containsExactly(
            "metrics handler failing failed, and is called again:"
                + " java.lang.IllegalStateException: registry closed");
  }

  @Test
  void whatIsNoHandlerIsSaid() {
    HandlerRounds rounds =
        rounds(List.of("no.such.Handler", "java.lang.String"), getClass().getClassLoader());
    assertThat(rounds.isWanted()).isFalse();
    assertThat(log).hasSize(2);
    assertThat(log.get(0))
        .isEqualTo(
            "no metrics handler no.such.Handler yet: the application has no such class; it is"
                + " looked for again while the application runs");
    assertThat(log.get(1)).startsWith("no metrics handler java.lang.String: it must be a public");
    nanos += 3_600_000_000_000L;
    assertThat(rounds.isWanted()).isFalse();
    assertThat(log).as("said once").hasSize(2);
  }

  @Test
  void servicesAreFound(@TempDir Path directory) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(services.resolve(MetricsHandler.class.getName()), Two.class.getName());
    URL[] urls = {directory.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader())) {
      HandlerRounds rounds = rounds(List.of(), getClass().getClassLoader(), loader);
      assertThat(rounds.isWanted()).isTrue();
      rounds.look(snapshot);
    }
    assertThat(TAKEN).hasSize(1);
  }

  @Test
  void codeMayAddAndRemoveThem() {
    HandlerRounds rounds = rounds();
    assertThat(rounds.isWanted()).isFalse();
    Two handler = new Two();
    MetricsHandlers.add(handler);
    assertThat(rounds.isWanted()).isTrue();
    MetricsHandlers.remove(handler);
    assertThat(rounds.isWanted()).isFalse();
  }

  /** Seconds after a handler was found, in which it is called, of two minutes. */
  @Test
  void theFirstRoundsComeSoonAndTheOthersAtTheInterval() {
    HandlerRounds rounds = rounds(Two.class);
    List<Integer> called = new ArrayList<>();
    for (int second = 0; second < 200; second++) {
      if (second == 130) {
        MetricsHandlers.add(new Two());
      }
      if (rounds.isWanted()) {
        rounds.look(snapshot);
        called.add(second);
      }
      // Never quite a second, as a thread wakes up.
      nanos += 1_000_000_000 - second % 7;
    }
    assertThat(called)
        .containsExactly(0, 1, 3, 7, 15, 31, 63, 123, 130, 131, 133, 137, 145, 161, 193);
    assertThat(TAKEN).hasSize(8 + 2 * 7);
  }

  @Test
  void oneThatComesLaterIsFoundLater() {
    List<ClassLoader> loaders = new ArrayList<>(List.of(ClassLoader.getPlatformClassLoader()));
    HandlerRounds rounds =
        new HandlerRounds(
            List.of(Two.class.getName()),
            (name, loader) -> Class.forName(name, true, loader),
            () -> loaders,
            60_000,
            () -> nanos,
            log::add);
    assertThat(rounds.isWanted()).isFalse();
    loaders.add(getClass().getClassLoader());
    assertThat(rounds.isWanted()).as("not before a second has passed").isFalse();
    nanos += 1_000_000_000;
    assertThat(rounds.isWanted()).isTrue();
    assertThat(log).hasSize(2);
    assertThat(log.get(1)).isEqualTo("metrics handler " + Two.class.getName() + ": found");
  }

  @Test
  void metersWaitForTheirLibrary() {
    HandlerRounds rounds =
        rounds(List.of("org.buftrail.metrics.FlowMeters"), ClassLoader.getPlatformClassLoader());
    assertThat(rounds.isWanted()).isFalse();
    assertThat(log)
        .containsExactly(
            "no metrics handler org.buftrail.metrics.FlowMeters yet:"
                + " io.micrometer.core.instrument.binder.MeterBinder is not there; it is looked for"
                + " again while the application runs");
  }
}
