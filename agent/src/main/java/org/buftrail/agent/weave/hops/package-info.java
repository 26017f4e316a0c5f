/** Weaves hops into the methods that are handed what is tracked. */
package org.buftrail.agent.weave.hops;
