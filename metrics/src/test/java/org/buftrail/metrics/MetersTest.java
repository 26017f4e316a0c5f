package org.buftrail.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.buftrail.model.Figure;
import org.buftrail.model.FlowMetrics;
import org.buftrail.model.MetricsHandler;
import org.buftrail.model.MetricsHandlers;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

final class MetersTest {
  private static final FlowMetrics METRICS =
      FlowMetrics.of(
          new Snapshot(
              1_000,
              1,
              75,
              0,
              TrackerStatus.FINE,
              List.of(path(true, 10, 2, 3), path(false, 40, 0, 5), connections(9, 4, 2)),
              List.of()),
          Set.of());

  private static Path path(boolean direct, long released, long leaked, long live) {
    return path(new Site("com.example.Orders", "read", "", 7, ""), direct, released, leaked, live);
  }

  private static Path connections(long closed, long leaked, long live) {
    return path(new Site("java.sql.Connection", "open", "", 0, ""), false, closed, leaked, live);
  }

  private static Path path(Site site, boolean direct, long released, long leaked, long live) {
    return new Path(
        List.of(new Path.Hop(site, "1-2", false, false)),
        direct,
        new Path.Flows(released, 100 * released),
        new Path.Flows(leaked, 100 * leaked),
        new Path.Flows(live, 100 * live),
        1_500,
        700);
  }

  private static Set<String> table() {
    Set<String> names = new TreeSet<>();
    Figure.in(Figure.Place.METERS).forEach(each -> names.add(each.name(Figure.Place.METERS)));
    return names;
  }

  /** What the agent's rounds do. */
  private static void round() {
    for (MetricsHandler handler : MetricsHandlers.all()) {
      handler.onMetrics(METRICS);
    }
  }

  @Test
  void micrometerShowsTheLastRound() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new FlowMeters().bindTo(registry);
    assertThat(registry.get("buftrail.live.bytes").tag("memory", "direct").gauge().value())
        .isZero();
    round();
    assertThat(registry.get("buftrail.live.bytes").tag("memory", "direct").gauge().value())
        .isEqualTo(300);
    assertThat(registry.get("buftrail.live").tag("memory", "heap").gauge().value()).isEqualTo(5);
    assertThat(registry.get("buftrail.leaked").tag("memory", "direct").functionCounter().count())
        .isEqualTo(2);
    assertThat(registry.get("buftrail.released").tag("memory", "heap").functionCounter().count())
        .isEqualTo(40);
    assertThat(registry.get("buftrail.allocated").functionCounter().count()).isEqualTo(60);
    assertThat(registry.get("buftrail.resources.closed").functionCounter().count()).isEqualTo(9);
    assertThat(registry.get("buftrail.resources.leaked").functionCounter().count()).isEqualTo(4);
    assertThat(registry.get("buftrail.resources.live").gauge().value()).isEqualTo(2);
    assertThat(registry.get("buftrail.leak.paths").gauge().value()).isEqualTo(2);
    assertThat(registry.get("buftrail.oldest.live").timeGauge().value(TimeUnit.MILLISECONDS))
        .isEqualTo(1_500);
    assertThat(registry.get("buftrail.live.bytes").tag("memory", "heap").gauge().getId())
        .returns("bytes", Meter.Id::getBaseUnit);
    assertThat(registry.getMeters()).as("low cardinality").hasSize(25);
    Set<String> shown = new TreeSet<>();
    registry.getMeters().forEach(meter -> shown.add(meter.getId().getName()));
    assertThat(shown).isEqualTo(table());
  }

  @Test
  void metersLiveAndGoWithTheirRegistry() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    int before = MetricsHandlers.all().size();
    new FlowMeters().bindTo(registry);
    System.gc();
    round();
    assertThat(registry.get("buftrail.live").tag("memory", "heap").gauge().value()).isEqualTo(5);
    registry.close();
    registry = new SimpleMeterRegistry();
    for (int i = 0; i < 100 && MetricsHandlers.all().size() > before; i++) {
      System.gc();
    }
    assertThat(MetricsHandlers.all().size()).as("collected").isLessThanOrEqualTo(before);
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void madeByTheAgentItBindsToTheGlobalRegistry() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Metrics.addRegistry(registry);
    try {
      FlowMeters meters = new FlowMeters();
      meters.onMetrics(METRICS);
      meters.onMetrics(METRICS);
      assertThat(registry.getMeters())
          .extracting(Meter::getId)
          .filteredOn(id -> id.getName().equals("buftrail.live"))
          .hasSize(2);
    } finally {
      Metrics.removeRegistry(registry);
      Metrics.globalRegistry.clear();
    }
  }

  @Test
  void boundToTheApplicationsRegistryItBindsToNoOther() {
    SimpleMeterRegistry global = new SimpleMeterRegistry();
    Metrics.addRegistry(global);
    try {
      FlowMeters meters = new FlowMeters();
      meters.bindTo(new SimpleMeterRegistry());
      meters.onMetrics(METRICS);
      assertThat(global.getMeters()).isEmpty();
    } finally {
      Metrics.removeRegistry(global);
      Metrics.globalRegistry.clear();
    }
  }

  @Test
  void openTelemetryIsBoundOnceTheApplicationHasSetIt() {
    FlowInstruments instruments = new FlowInstruments();
    instruments.onMetrics(METRICS);
    assertThat(GlobalOpenTelemetry.isSet()).as("left to the application").isFalse();
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(reader).build();
    try {
      GlobalOpenTelemetry.set(OpenTelemetrySdk.builder().setMeterProvider(provider).build());
      instruments.onMetrics(METRICS);
      Map<String, Long> values = new TreeMap<>();
      Set<String> shown = new TreeSet<>();
      for (MetricData metric : reader.collectAllMetrics()) {
        shown.add(metric.getName());
        for (LongPointData point : points(metric)) {
          String memory = point.getAttributes().get(AttributeKey.stringKey("memory"));
          values.put(metric.getName() + " " + memory, point.getValue());
        }
      }
      assertThat(values)
          .containsEntry("buftrail.allocated null", 60L)
          .containsEntry("buftrail.leaked.bytes direct", 200L)
          .containsEntry("buftrail.live.bytes heap", 500L)
          .containsEntry("buftrail.oldest.live null", 1_500L)
          .containsEntry("buftrail.resources.closed null", 9L)
          .containsEntry("buftrail.resources.leaked null", 4L)
          .containsEntry("buftrail.resources.live null", 2L)
          .hasSize(25);
      assertThat(shown).isEqualTo(table());
    } finally {
      provider.close();
      GlobalOpenTelemetry.resetForTest();
    }
  }

  @Test
  void openTelemetryIsToldUnitsAndEachRound() {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(reader).build();
    FlowInstruments instruments = new FlowInstruments();
    try {
      instruments.bindTo(OpenTelemetrySdk.builder().setMeterProvider(provider).build());
      round();
      Map<String, String> units = new TreeMap<>();
      Map<String, Long> sums = new TreeMap<>();
      Map<String, MetricDataType> types = new TreeMap<>();
      for (MetricData metric : reader.collectAllMetrics()) {
        units.put(metric.getName(), metric.getUnit());
        types.put(metric.getName(), metric.getType());
        points(metric).forEach(each -> sums.merge(metric.getName(), each.getValue(), Long::sum));
      }
      assertThat(units)
          .containsEntry("buftrail.leaked", "{buffer}")
          .containsEntry("buftrail.leaked.bytes", "By")
          .containsEntry("buftrail.leak.paths", "{path}")
          .containsEntry("buftrail.resources.closed", "{resource}")
          .containsEntry("buftrail.oldest.live", "ms");
      assertThat(types)
          .containsEntry("buftrail.leaked.bytes", MetricDataType.LONG_SUM)
          .containsEntry("buftrail.resources.closed", MetricDataType.LONG_SUM)
          .containsEntry("buftrail.live.bytes", MetricDataType.LONG_GAUGE)
          .containsEntry("buftrail.oldest.live", MetricDataType.LONG_GAUGE);
      assertThat(sums)
          .containsEntry("buftrail.live.bytes", 800L)
          .containsEntry("buftrail.released", 50L)
          .containsEntry("buftrail.leak.paths", 2L);
    } finally {
      provider.close();
      Reference.reachabilityFence(instruments);
    }
  }

  /** A buffer that turns out to be kept for ever is taken off again. */
  @Test
  void whatCountsDoesNotFallAndWhatIsOfTheMomentDoes() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    FlowMeters meters = new FlowMeters();
    meters.bindTo(registry);
    meters.onMetrics(METRICS);
    List<Path> fewer = List.of(path(true, 7, 1, 2), path(false, 41, 0, 3));
    meters.onMetrics(
        FlowMetrics.of(
            new Snapshot(2_000, 1, 59, 0, TrackerStatus.FINE, fewer, List.of()), Set.of()));
    assertThat(registry.get("buftrail.leaked").tag("memory", "direct").functionCounter().count())
        .isEqualTo(2);
    assertThat(registry.get("buftrail.released").tag("memory", "heap").functionCounter().count())
        .isEqualTo(41);
    assertThat(registry.get("buftrail.allocated").functionCounter().count()).isEqualTo(60);
    assertThat(registry.get("buftrail.live").tag("memory", "heap").gauge().value()).isEqualTo(3);
    assertThat(registry.get("buftrail.leak.paths").gauge().value()).isEqualTo(1);
  }

  @Test
  void metersAskForNothingThatCostsMore() {
    List<MetricsHandler> handlers =
        List.of(new FlowMeters(), new FlowInstruments(), new LastRound());
    assertThat(handlers)
        .extracting(MetricsHandler::name)
        .containsExactly("micrometer", "opentelemetry", "meters");
    assertThat(handlers).allSatisfy(each -> assertThat(each.wanted()).isEmpty());
  }

  private static Iterable<LongPointData> points(MetricData metric) {
    return metric.getType().name().equals("LONG_SUM")
        ? metric.getLongSumData().getPoints()
        : metric.getLongGaugeData().getPoints();
  }
}
