/**
 * What was seen of buffers and resources, for whoever reads it: snapshots, paths, figures, and the
 * interfaces that applications implement.
 */
@NullMarked
package org.buftrail.model;

import org.jspecify.annotations.NullMarked;
