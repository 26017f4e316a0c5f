/** Scopes: which one a thread is in, and what is left over in it. */
@NullMarked
package org.buftrail.flow.scope;

import org.jspecify.annotations.NullMarked;
