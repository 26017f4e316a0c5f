/**
 * The state of a flow that a buffer carries, or the side table in its place: position, stamp,
 * tenured flow, who holds it. And how to ask what is no buffer of Netty's: resources, and buffers
 * of others.
 *
 * <p>Woven classes extend and implement some of these types. Applications do not call them.
 */
@NullMarked
package org.buftrail.flow.state;

import org.jspecify.annotations.NullMarked;
