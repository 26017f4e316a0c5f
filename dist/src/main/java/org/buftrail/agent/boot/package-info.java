/** The first of the agent's hidden classes: they give the JVM the flow runtime. */
package org.buftrail.agent.boot;
