/**
 * What a buffer carries of its flow, or the side table in its place: position, stamp, who holds it.
 *
 * <p>Woven classes extend and implement some of these types. Applications do not call them.
 */
@NullMarked
package org.buftrail.flow.state;

import org.jspecify.annotations.NullMarked;
