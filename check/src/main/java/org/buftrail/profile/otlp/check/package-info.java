/** Whether OpenTelemetry profiles follow the specification. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.otlp.check;
