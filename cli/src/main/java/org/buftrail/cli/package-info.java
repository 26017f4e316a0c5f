/**
 * The command line: one class a command, and {@link org.buftrail.cli.Terminal} the only printer.
 */
package org.buftrail.cli;
