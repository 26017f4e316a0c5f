/**
 * The end of the JVM: what is decided then, the last report, and the last lines on standard error.
 */
package org.buftrail.agent.end;
