/** Stack traces as numbers of frames. */
package org.buftrail.jfr.stacks;
