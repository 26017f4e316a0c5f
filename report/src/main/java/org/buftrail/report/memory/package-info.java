/** Divides the memory of a process among its owners. */
package org.buftrail.report.memory;
