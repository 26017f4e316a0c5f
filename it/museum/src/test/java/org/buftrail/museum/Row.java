package org.buftrail.museum;

import org.jspecify.annotations.Nullable;

/**
 * What was said of an exhibit.
 *
 * @param include null where the mistake is the program's own
 */
record Row(Named plain, @Nullable Named include, Named detector, Contrasted contrast) {}
