/** Looks at the flows again and again, and does something about what it sees. */
package org.buftrail.agent.watch;
