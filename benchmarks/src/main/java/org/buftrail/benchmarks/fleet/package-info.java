/** Recordings of many services, and what questions about them cost. */
@NullMarked
package org.buftrail.benchmarks.fleet;

import org.jspecify.annotations.NullMarked;
