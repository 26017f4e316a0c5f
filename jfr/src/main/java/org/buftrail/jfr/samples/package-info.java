/** Rows of a chunk as samples over a dictionary. */
package org.buftrail.jfr.samples;
