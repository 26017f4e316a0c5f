/** The messages of OpenTelemetry profiles and their fields. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.otlp.schema;
