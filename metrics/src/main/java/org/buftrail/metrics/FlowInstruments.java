package org.buftrail.metrics;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.model.Figure;
import org.buftrail.model.FlowMetrics;
import org.buftrail.model.MetricsHandler;

/**
 * The {@linkplain Figure figures} of meters as OpenTelemetry metrics; those of buffers have the
 * attribute {@code memory} ({@code direct}, {@code heap}), and none has another. All stand at the
 * agent's last round, {@code metricsEvery}, and at 0 without the agent.
 *
 * <p>{@code metricsHandlers=opentelemetry} binds them to {@link GlobalOpenTelemetry} once the
 * application has set that, never before: asking for it earlier would keep the application from
 * setting it. An application may bind them to its own with {@link #bindTo}. Thread-safe.
 */
public final class FlowInstruments implements MetricsHandler {
  private static final AttributeKey<String> MEMORY = AttributeKey.stringKey("memory");

  private final LastRound round = new LastRound();
  private final AtomicBoolean bound = new AtomicBoolean();

  /** Makes instruments that are with no meter yet. */
  public FlowInstruments() {}

  /** Lets a meter observe them. */
  public void bindTo(OpenTelemetry openTelemetry) {
    bound.set(true);
    round.subscribe();
    Meter meter = openTelemetry.getMeter("org.buftrail");
    for (Figure figure : Figure.in(Figure.Place.METERS)) {
      String name = Objects.requireNonNull(figure.name(Figure.Place.METERS));
      if (figure.kind() == Figure.Kind.COUNTER) {
        meter
            .counterBuilder(name)
            .setUnit(unit(figure))
            .setDescription(figure.help())
            .buildWithCallback(measurement -> record(measurement, figure));
      } else {
        meter
            .gaugeBuilder(name)
            .setUnit(unit(figure))
            .setDescription(figure.help())
            .ofLongs()
            .buildWithCallback(measurement -> record(measurement, figure));
      }
    }
  }

  /**
   * In the Unified Code for Units of Measure. No switch: javac makes a class of its own for that,
   * which nobody would define in the application.
   */
  private static String unit(Figure figure) {
    Figure.Unit unit = figure.unit();
    if (unit == Figure.Unit.BYTES) {
      return "By";
    }
    if (unit == Figure.Unit.MILLIS) {
      return "ms";
    }
    String plural = unit.name().toLowerCase(Locale.ROOT);
    return unit == Figure.Unit.NONE ? "1" : "{" + plural.substring(0, plural.length() - 1) + "}";
  }

  private void record(ObservableLongMeasurement measurement, Figure figure) {
    if (figure.label() != Figure.Label.MEMORY) {
      measurement.record(round.get(figure));
      return;
    }
    for (String memory : LastRound.MEMORIES) {
      measurement.record(round.get(figure, memory), Attributes.of(MEMORY, memory));
    }
  }

  @Override
  public String name() {
    return "opentelemetry";
  }

  @Override
  public Set<String> wanted() {
    return Set.of();
  }

  @Override
  public void onMetrics(FlowMetrics metrics) {
    if (!bound.get() && GlobalOpenTelemetry.isSet()) {
      bindTo(GlobalOpenTelemetry.get());
    }
    round.onMetrics(metrics);
  }
}
