/** The file in memory: its chunks, and the decoding of JFR's primitives. */
package org.buftrail.jfr.file;
