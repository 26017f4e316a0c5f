/** Facts in a recording about the process that made it, and about its sampling. */
package org.buftrail.jfr.process;
