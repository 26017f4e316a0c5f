/**
 * Flows as metrics of Micrometer and OpenTelemetry. Loaded where the application has these, and
 * only when it asks for them.
 */
@org.jspecify.annotations.NullMarked
package org.buftrail.metrics;
