/** Where the application is, and what it has for the agent. */
package org.buftrail.agent.application;
