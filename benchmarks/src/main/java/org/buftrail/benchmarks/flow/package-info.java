/** The measured programs, the only ones that the agent includes. */
@NullMarked
package org.buftrail.benchmarks.flow;

import org.jspecify.annotations.NullMarked;
