/** OpenTelemetry profiles, {@code opentelemetry.proto.profiles.v1development} since 1.10. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.otlp;
