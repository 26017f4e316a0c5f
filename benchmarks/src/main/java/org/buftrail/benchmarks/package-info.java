/** What the agent costs, measured: benchmarks, and what runs and compares them. */
@NullMarked
package org.buftrail.benchmarks;

import org.jspecify.annotations.NullMarked;
