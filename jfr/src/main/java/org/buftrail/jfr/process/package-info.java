/** What a recording says of the process that made it, and of how it was sampled. */
package org.buftrail.jfr.process;
