/** What the agent asks of the runtime: to start, to stop, to tell. */
@NullMarked
package org.buftrail.flow.control;

import org.jspecify.annotations.NullMarked;
