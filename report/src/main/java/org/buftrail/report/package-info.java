/** Snapshots as text, JSON, pages and profiles. Runs on daemon threads, never on a hot path. */
package org.buftrail.report;
