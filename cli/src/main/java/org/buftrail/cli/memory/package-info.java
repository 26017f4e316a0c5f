/** Who holds the memory of a process. */
package org.buftrail.cli.memory;
