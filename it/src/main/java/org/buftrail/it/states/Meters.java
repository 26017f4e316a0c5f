package org.buftrail.it.states;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An application with Micrometer and OpenTelemetry, which writes down what both would export: one
 * {@code name memory unit value} a line.
 */
final class Meters implements Runnable {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final InMemoryMetricReader reader = InMemoryMetricReader.create();
  private int times;

  Meters() {
    Metrics.addRegistry(registry);
    SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(reader).build();
    OpenTelemetrySdk.builder().setMeterProvider(provider).buildAndRegisterGlobal();
  }

  /** Writes the next of {@code micrometer-1}, ..., and of {@code opentelemetry-1}, .... */
  @Override
  public void run() {
    times++;
    StringBuilder micrometer = new StringBuilder();
    for (Meter meter : registry.getMeters()) {
      for (Measurement measurement : meter.measure()) {
        line(
            micrometer,
            meter.getId().getName(),
            meter.getId().getTag("memory"),
            meter.getId().getBaseUnit(),
            Math.round(measurement.getValue()));
      }
    }
    StringBuilder opentelemetry = new StringBuilder();
    for (MetricData metric : reader.collectAllMetrics()) {
      for (Object each : metric.getData().getPoints()) {
        LongPointData point = (LongPointData) each;
        String memory = point.getAttributes().get(AttributeKey.stringKey("memory"));
        line(opentelemetry, metric.getName(), memory, metric.getUnit(), point.getValue());
      }
    }
    write("opentelemetry-" + times, opentelemetry);
    write("micrometer-" + times, micrometer);
  }

  private static void line(
      StringBuilder out, String name, @Nullable String memory, @Nullable String unit, long value) {
    out.append(name).append(' ').append(memory).append(' ').append(unit).append(' ');
    out.append(value).append('\n');
  }

  private static void write(String file, StringBuilder text) {
    try {
      Files.move(Files.writeString(Path.of(file + ".part"), text), Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
