/** What keeps the hot path as cheap as it is: counts and sizes, which no noise can change. */
@NullMarked
package org.buftrail.benchmarks.gate;

import org.jspecify.annotations.NullMarked;
