/** Goes over all flows, for a snapshot or for the leftovers of a scope. */
@NullMarked
package org.buftrail.flow.census;

import org.jspecify.annotations.NullMarked;
