/** Samples of recordings as rows and columns, for tables and engines that query them. */
package org.buftrail.jfr.rows;
