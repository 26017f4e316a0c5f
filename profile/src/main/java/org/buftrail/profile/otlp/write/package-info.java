/** Profiles to OpenTelemetry protobuf. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.otlp.write;
