/** Streams that unpack what recordings are packed in and the JDK cannot read: LZ4, Zstandard. */
package org.buftrail.jfr.packing;
