/**
 * Snapshots, paths and figures of buffers and resources, and the interfaces that applications
 * implement.
 */
@NullMarked
package org.buftrail.model;

import org.jspecify.annotations.NullMarked;
