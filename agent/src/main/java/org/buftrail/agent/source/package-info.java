/** Where everything that shows flows of the running JVM gets them from. */
package org.buftrail.agent.source;
