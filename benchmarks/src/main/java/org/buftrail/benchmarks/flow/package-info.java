/** The programs that are measured; all that the agent is told to include. */
@NullMarked
package org.buftrail.benchmarks.flow;

import org.jspecify.annotations.NullMarked;
