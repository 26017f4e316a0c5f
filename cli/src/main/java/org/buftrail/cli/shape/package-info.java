/** Filters and reshapes stacks between reading and writing. */
@org.jspecify.annotations.NullMarked
package org.buftrail.cli.shape;
