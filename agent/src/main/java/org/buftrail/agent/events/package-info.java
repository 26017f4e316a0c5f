/** Flows as Flight Recorder events. Loaded only where Flight Recorder is there. */
package org.buftrail.agent.events;
