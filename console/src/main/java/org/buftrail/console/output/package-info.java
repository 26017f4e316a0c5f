/**
 * What leaves a command: files, text on the terminal and an exit code. {@link
 * org.buftrail.console.output.Terminal} is the only printer.
 */
package org.buftrail.console.output;
