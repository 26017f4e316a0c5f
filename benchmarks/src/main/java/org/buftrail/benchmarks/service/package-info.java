/** Programs that treat buffers as services do: many in flight, paths that branch. */
@NullMarked
package org.buftrail.benchmarks.service;

import org.jspecify.annotations.NullMarked;
