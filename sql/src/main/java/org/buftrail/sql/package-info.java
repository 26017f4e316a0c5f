/** Recordings as tables of DuckDB. */
package org.buftrail.sql;
