/** In which scope a thread is, and what is left over there. */
@NullMarked
package org.buftrail.flow.scope;

import org.jspecify.annotations.NullMarked;
