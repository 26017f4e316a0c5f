/** The live page and what it fetches. Loaded only when it is asked for. */
package org.buftrail.agent.page;
