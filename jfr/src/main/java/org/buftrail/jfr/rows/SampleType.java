package org.buftrail.jfr.rows;

import org.jspecify.annotations.Nullable;

/**
 * What samples of one profile have in common.
 *
 * @param kind name of the profile
 * @param unit of the first value
 * @param secondUnit of the second; null if there is none
 * @param isOther whether these are events as a whole: rows of the table {@code events}
 */
public record SampleType(String kind, String unit, @Nullable String secondUnit, boolean isOther) {}
