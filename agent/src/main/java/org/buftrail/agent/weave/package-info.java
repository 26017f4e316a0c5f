/** Which classes are woven, and what is woven into them. */
package org.buftrail.agent.weave;
