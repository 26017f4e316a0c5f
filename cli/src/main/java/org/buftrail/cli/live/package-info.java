/** Reaching the agent in a running JVM, and drawing what it says on a terminal. */
package org.buftrail.cli.live;
