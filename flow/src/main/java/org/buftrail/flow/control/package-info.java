/**
 * Starts the runtime, stops it and reports what it knows, also which classes are not woven. The
 * agent's weaving names classes of state, tree and woven too.
 */
@NullMarked
package org.buftrail.flow.control;

import org.jspecify.annotations.NullMarked;
