/** Weaves the opening and the closing of what {@code resource=} names. */
package org.buftrail.agent.weave.resources;
