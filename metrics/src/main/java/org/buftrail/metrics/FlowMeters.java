package org.buftrail.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.flow.FlowMetrics;
import org.buftrail.flow.MetricsHandler;

/**
 * Flows as Micrometer meters, twenty-two of them; those of buffers are tagged with {@code
 * memory=direct|heap}, and nothing else is.
 *
 * <p>{@code buftrail.allocated}, {@code buftrail.released}, {@code buftrail.leaked}, {@code
 * buftrail.leaked.bytes}, {@code buftrail.held}, {@code buftrail.dropped} and {@code
 * buftrail.dropped.bytes} count since the start; {@code buftrail.live}, {@code
 * buftrail.live.bytes}, {@code buftrail.oldest.live} and {@code buftrail.leak.paths} are of the
 * moment. {@code buftrail.resources.closed}, {@code .leaked} and {@code .live} are of what is no
 * buffer. All stand at the agent's last round, {@code metricsEvery}, and at 0 without the agent.
 *
 * <p>{@code metricsHandlers=micrometer} binds them to the global registry; an application may bind
 * them to its own with {@link #bindTo}. Thread-safe.
 */
public final class FlowMeters implements MeterBinder, MetricsHandler {
  private final Figures figures = new Figures();
  private final AtomicBoolean bound = new AtomicBoolean();

  /** Makes meters that are in no registry yet. */
  public FlowMeters() {}

  @Override
  public void bindTo(MeterRegistry registry) {
    bound.set(true);
    figures.subscribe();
    counter(
        registry, "buftrail.allocated", Figures.ALLOCATED, "Netty buffers allocated", "buffers");
    for (String memory : new String[] {"direct", "heap"}) {
      bindTo(registry, memory);
    }
    bindResourcesTo(registry);
    Gauge.builder("buftrail.leak.paths", figures, f -> f.get("leak_paths"))
        .description("Paths on which something leaked")
        .baseUnit("paths")
        // Holds the figures for as long as the registry is there; the other meters do not.
        .strongReference(true)
        .register(registry);
    TimeGauge.builder(
            "buftrail.oldest.live",
            figures,
            TimeUnit.MILLISECONDS,
            f -> f.get("oldest_live_millis"))
        .description("Age of the oldest flow that is alive")
        .register(registry);
  }

  private void bindTo(MeterRegistry registry, String memory) {
    String[] tag = {"memory", memory};
    String all = memory + "_";
    counter(
        registry, "buftrail.released", all + "released", "Netty buffers released", "buffers", tag);
    counter(
        registry,
        "buftrail.leaked",
        all + "leaked",
        "Netty buffers that leaked: collected without a release",
        "buffers",
        tag);
    counter(
        registry,
        "buftrail.leaked.bytes",
        all + "leaked_bytes",
        "Bytes of the leaked buffers and of what they held",
        "bytes",
        tag);
    counter(
        registry,
        "buftrail.held",
        all + "held",
        "Netty buffers that leaked within others",
        "buffers",
        tag);
    counter(
        registry,
        "buftrail.dropped",
        all + "dropped",
        "Netty buffers collected without a release, with nothing lost: no leaks",
        "buffers",
        tag);
    counter(
        registry,
        "buftrail.dropped.bytes",
        all + "dropped_bytes",
        "Bytes of the dropped buffers",
        "bytes",
        tag);
    gauge(registry, "buftrail.live", all + "live", "Netty buffers that are alive", "buffers", tag);
    gauge(
        registry,
        "buftrail.live.bytes",
        all + "live_bytes",
        "Bytes of Netty buffers that are alive",
        "bytes",
        tag);
  }

  private void bindResourcesTo(MeterRegistry registry) {
    String unit = "resources";
    counter(registry, "buftrail.resources.closed", "resource_released", "Resources closed", unit);
    counter(
        registry,
        "buftrail.resources.leaked",
        "resource_leaked",
        "Resources collected without having been closed",
        unit);
    gauge(registry, "buftrail.resources.live", "resource_live", "Resources that are open", unit);
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String figure,
      String description,
      String unit,
      String... tags) {
    FunctionCounter.builder(name, figures, f -> f.get(figure))
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String figure,
      String description,
      String unit,
      String... tags) {
    Gauge.builder(name, figures, f -> f.get(figure))
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
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
    figures.onMetrics(metrics);
  }
}
