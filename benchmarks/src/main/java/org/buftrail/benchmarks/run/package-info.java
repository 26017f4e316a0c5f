/** Runs benchmarks with and without the agent, proves what it measured, and compares. */
@NullMarked
package org.buftrail.benchmarks.run;

import org.jspecify.annotations.NullMarked;
