/** A chunk decoded by itself: bytes in, a result out. */
package org.buftrail.jfr.chunk;
