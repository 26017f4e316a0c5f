/** OpenTelemetry profiles of anybody to profiles. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.otlp.read;
