/**
 * A small HTTP server for a process that belongs to somebody else: all that it takes is bounded.
 */
package org.buftrail.report.http;
