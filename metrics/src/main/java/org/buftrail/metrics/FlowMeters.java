package org.buftrail.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import org.buftrail.model.Figure;
import org.buftrail.model.FlowMetrics;
import org.buftrail.model.MetricsHandler;

/**
 * The {@linkplain Figure figures} of meters in Micrometer; those of buffers are tagged with {@code
 * memory=direct|heap}, and nothing else is. All stand at the agent's last round, {@code
 * metricsEvery}, and at 0 without the agent.
 *
 * <p>{@code metricsHandlers=micrometer} binds them to the global registry; an application may bind
 * them to its own with {@link #bindTo}. Thread-safe.
 */
public final class FlowMeters implements MeterBinder, MetricsHandler {
  private final LastRound round = new LastRound();
  private final AtomicBoolean bound = new AtomicBoolean();

  /** Makes meters that are in no registry yet. */
  public FlowMeters() {}

  @Override
  public void bindTo(MeterRegistry registry) {
    bound.set(true);
    round.subscribe();
    for (Figure figure : Figure.in(Figure.Place.METERS)) {
      if (figure.label() == Figure.Label.MEMORY) {
        for (String memory : LastRound.MEMORIES) {
          bindTo(registry, figure, last -> last.get(figure, memory), "memory", memory);
        }
      } else {
        bindTo(registry, figure, last -> last.get(figure));
      }
    }
  }

  private void bindTo(
      MeterRegistry registry, Figure figure, ToDoubleFunction<LastRound> value, String... tags) {
    String name = Objects.requireNonNull(figure.name(Figure.Place.METERS));
    String unit = figure.unit().name().toLowerCase(Locale.ROOT);
    if (figure.unit() == Figure.Unit.MILLIS) {
      TimeGauge.builder(name, round, TimeUnit.MILLISECONDS, value)
          .description(figure.help())
          .tags(tags)
          .register(registry);
    } else if (figure.kind() == Figure.Kind.COUNTER) {
      FunctionCounter.builder(name, round, value)
          .description(figure.help())
          .baseUnit(unit)
          .tags(tags)
          .register(registry);
    } else {
      Gauge.builder(name, round, value)
          .description(figure.help())
          .baseUnit(unit)
          .tags(tags)
          // Holds the figures for as long as the registry is there; the other meters do not.
          .strongReference(true)
          .register(registry);
    }
  }

  @Override
  public String name() {
    return "micrometer";
  }

  @Override
  public Set<String> wanted() {
    return Set.of();
  }

  /** Made by the agent, it binds itself to the global registry in the first round. */
  @Override
  public void onMetrics(FlowMetrics metrics) {
    if (!bound.get()) {
      bindTo(Metrics.globalRegistry);
    }
    round.onMetrics(metrics);
  }
}
