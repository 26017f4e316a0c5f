/** Tables of numbers, and arithmetic that does not wrap. */
package org.buftrail.jfr.table;
