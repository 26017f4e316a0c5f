/**
 * What leaves a command: files, text on the terminal and an exit code. {@link
 * org.buftrail.cli.output.Terminal} is the only printer.
 */
package org.buftrail.cli.output;
