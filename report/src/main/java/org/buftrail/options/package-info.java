/** The options of the agent, as the agent and the command line know them. */
package org.buftrail.options;
