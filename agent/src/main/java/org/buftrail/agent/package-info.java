/** The Java agent: weaving, options, reports. */
package org.buftrail.agent;
