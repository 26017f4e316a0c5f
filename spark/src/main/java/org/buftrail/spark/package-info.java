/** Recordings as a data source of Spark, and jobs over many of them. */
package org.buftrail.spark;
