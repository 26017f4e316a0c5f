/**
 * What all packages of the runtime stand on: switches, log, kept errors, ticks, threads, the watch
 * over the collector, and what has HotSpot inline.
 */
@NullMarked
package org.buftrail.flow.base;

import org.jspecify.annotations.NullMarked;
