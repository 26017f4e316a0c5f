/** The options of the agent: how they are written, read, spelled and shown. */
package org.buftrail.agent.options;
