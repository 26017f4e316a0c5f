package org.buftrail.metrics;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.LongCounterBuilder;
import io.opentelemetry.api.metrics.LongGaugeBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.flow.FlowMetrics;
import org.buftrail.flow.MetricsHandler;

/**
 * Flows as OpenTelemetry metrics, fourteen of them; those of buffers have the attribute {@code
 * memory} ({@code direct}, {@code heap}), and none has another.
 *
 * <p>{@code buftrail.allocated}, {@code buftrail.released}, {@code buftrail.leaked}, {@code
 * buftrail.leaked.bytes}, {@code buftrail.held}, {@code buftrail.dropped} and {@code
 * buftrail.dropped.bytes} count since the start; {@code buftrail.live}, {@code
 * buftrail.live.bytes}, {@code buftrail.oldest.live} and {@code buftrail.leak.paths} are of the
 * moment. {@code buftrail.resources.closed}, {@code .leaked} and {@code .live} are of what is no
 * buffer. All stand at the agent's last round, {@code metricsEvery}, and at 0 without the agent.
 *
 * <p>{@code metricsHandlers=opentelemetry} binds them to {@link GlobalOpenTelemetry} once the
 * application has set that, never before: asking for it earlier would keep the application from
 * setting it. An application may bind them to its own with {@link #bindTo}. Thread-safe.
 */
public final class FlowInstruments implements MetricsHandler {
  private static final AttributeKey<String> MEMORY = AttributeKey.stringKey("memory");
  private static final String DROPPED =
      "Netty buffers collected without a release, with nothing lost: no leaks";
  private static final String[] MEMORIES = {"direct", "heap"};

  private final Figures figures = new Figures();
  private final AtomicBoolean bound = new AtomicBoolean();

  /** Makes instruments that are with no meter yet. */
  public FlowInstruments() {}

  /** Lets a meter observe them. */
  public void bindTo(OpenTelemetry openTelemetry) {
    bound.set(true);
    figures.subscribe();
    Meter meter = openTelemetry.getMeter("org.buftrail");
    counter(meter, "buftrail.allocated", "{buffer}", "Netty buffers allocated")
        .buildWithCallback(measurement -> measurement.record(figures.get(Figures.ALLOCATED)));
    counter(meter, "buftrail.released", "{buffer}", "Netty buffers released")
        .buildWithCallback(measurement -> byMemory(measurement, "released"));
    counter(
            meter,
            "buftrail.leaked",
            "{buffer}",
            "Netty buffers that leaked: collected without a release")
        .buildWithCallback(measurement -> byMemory(measurement, "leaked"));
    counter(
            meter,
            "buftrail.leaked.bytes",
            "By",
            "Bytes of the leaked buffers and of what they held")
        .buildWithCallback(measurement -> byMemory(measurement, "leaked_bytes"));
    counter(meter, "buftrail.held", "{buffer}", "Netty buffers that leaked within others")
        .buildWithCallback(measurement -> byMemory(measurement, "held"));
    counter(meter, "buftrail.dropped", "{buffer}", DROPPED)
        .buildWithCallback(measurement -> byMemory(measurement, "dropped"));
    counter(meter, "buftrail.dropped.bytes", "By", "Bytes of the dropped buffers")
        .buildWithCallback(measurement -> byMemory(measurement, "dropped_bytes"));
    gauge(meter, "buftrail.live", "{buffer}", "Netty buffers that are alive")
        .buildWithCallback(measurement -> byMemory(measurement, "live"));
    gauge(meter, "buftrail.live.bytes", "By", "Bytes of Netty buffers that are alive")
        .buildWithCallback(measurement -> byMemory(measurement, "live_bytes"));
    counter(meter, "buftrail.resources.closed", "{resource}", "Resources closed")
        .buildWithCallback(measurement -> measurement.record(figures.get("resource_released")));
    counter(meter, "buftrail.resources.leaked", "{resource}", "Resources collected while open")
        .buildWithCallback(measurement -> measurement.record(figures.get("resource_leaked")));
    gauge(meter, "buftrail.resources.live", "{resource}", "Resources that are open")
        .buildWithCallback(measurement -> measurement.record(figures.get("resource_live")));
    gauge(meter, "buftrail.leak.paths", "{path}", "Paths on which something leaked")
        .buildWithCallback(measurement -> measurement.record(figures.get("leak_paths")));
    gauge(meter, "buftrail.oldest.live", "ms", "Age of the oldest flow that is alive")
        .buildWithCallback(measurement -> measurement.record(figures.get("oldest_live_millis")));
  }

  private static LongCounterBuilder counter(
      Meter meter, String name, String unit, String description) {
    return meter.counterBuilder(name).setUnit(unit).setDescription(description);
  }

  private static LongGaugeBuilder gauge(Meter meter, String name, String unit, String description) {
    return meter.gaugeBuilder(name).setUnit(unit).setDescription(description).ofLongs();
  }

  private void byMemory(ObservableLongMeasurement measurement, String figure) {
    for (String memory : MEMORIES) {
      measurement.record(figures.get(memory + "_" + figure), Attributes.of(MEMORY, memory));
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
    figures.onMetrics(metrics);
  }
}
