/** Writes Parquet files from columns of numbers and of numbered texts. */
package org.buftrail.jfr.parquet;
