/** All that the agent knows of Apache Arrow's buffers. */
package org.buftrail.agent.weave.arrow;
