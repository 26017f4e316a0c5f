/** Where young flows are, the rings of threads, and how flows leave them to be tenured. */
@NullMarked
package org.buftrail.flow.nursery;

import org.jspecify.annotations.NullMarked;
