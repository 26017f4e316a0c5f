/**
 * What applications and tests may call.
 *
 * <p>The packages below this one are public for woven code and for the agent, on whichever class
 * loader they are. They are no API, and may change at any time. Each knows those before it alone:
 * base, tree, state, scope, nursery; then woven and census; then control.
 */
@NullMarked
package org.buftrail.flow;

import org.jspecify.annotations.NullMarked;
