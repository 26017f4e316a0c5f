/** All that the agent knows of Netty 4: its names, how its classes are woven, and their fields. */
package org.buftrail.agent.weave.netty4;
