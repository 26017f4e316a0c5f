/** What shares a JVM with the agent: loaders, other agents, mocks. */
package org.buftrail.it.loading;
