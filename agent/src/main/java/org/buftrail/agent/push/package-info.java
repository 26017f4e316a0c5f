/** Flows sent to an OpenTelemetry receiver on a schedule. */
package org.buftrail.agent.push;
