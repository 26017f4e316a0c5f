/** Asks a process who holds its memory. */
package org.buftrail.cli.memory;
