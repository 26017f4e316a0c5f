/** Where recordings come from: files, directories, archives, streams, and how they are packed. */
package org.buftrail.jfr.input;
