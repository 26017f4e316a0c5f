package org.buftrail.model;

import java.util.Set;

/**
 * Takes figures at an interval, to hand them to whatever the application reports its metrics with.
 *
 * <p>Made known by {@link MetricsHandlers#add}, by the option {@code metricsHandlers=CLASS,CLASS},
 * or as a service in {@code META-INF/services}. Called on one daemon thread. What one handler
 * throws is logged once and reaches no other.
 */
public interface MetricsHandler {
  /** How the log calls it. */
  String name();

  /**
   * The {@linkplain FlowMetrics#names() metrics} that it wants.
   *
   * @return some of the names, or none to get all
   */
  Set<String> wanted();

  /** Takes the figures of one moment. */
  void onMetrics(FlowMetrics metrics);
}
