/** OpenTelemetry profiles as JSON, made of the protobuf and made into it. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.otlp.json;
