/** Flows as metrics of low cardinality. */
package org.buftrail.agent.metrics;
