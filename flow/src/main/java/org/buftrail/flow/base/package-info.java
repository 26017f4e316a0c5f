/** What all packages of the runtime stand on: switches, log, kept errors, ticks and threads. */
@NullMarked
package org.buftrail.flow.base;

import org.jspecify.annotations.NullMarked;
