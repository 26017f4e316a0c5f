/** The management bean {@code org.buftrail:type=FlowTracker}. Loaded only where JMX is there. */
package org.buftrail.agent.jmx;
