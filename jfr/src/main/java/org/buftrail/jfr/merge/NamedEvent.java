package org.buftrail.jfr.merge;

import org.jspecify.annotations.Nullable;

/**
 * An event type that is asked for by name.
 *
 * @param name name of the event type
 * @param field the field to add up, or null to count events
 * @param unit unit of the field, or null for what the recording says
 */
public record NamedEvent(String name, @Nullable String field, @Nullable String unit) {}
