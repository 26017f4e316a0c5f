/**
 * Unpacks what recordings are packed in. It is written here since no library does it on current
 * JVMs with nothing lost:
 *
 * <ul>
 *   <li>Zstandard: aircompressor 2 reads by {@code sun.misc.Unsafe} and zstd-jni by native code.
 *       JDK 25 prints warnings for both, and says that it will refuse both in future.
 *   <li>LZ4: the frames of lz4-java must have independent blocks. Those of the C library and of
 *       Python are linked unless asked otherwise. From a block that is cut it returns nothing.
 *       commons-compress 1.28 reads linked blocks, in some eighty times the time, and gives nothing
 *       behind a header or a block that does not match its checksum.
 *   <li>xxHash, the checksum of both, is 235 lines. lz4-java's pure Java does it too, without a
 *       warning; but that is 16 classes which it finds by their names, in a jar of 826 KB with
 *       native code for nine systems, and the converter as a library needs no other so far.
 *   <li>gzip: the JDK's stream takes what follows a member, and is none, for the end.
 * </ul>
 */
package org.buftrail.jfr.packing;
