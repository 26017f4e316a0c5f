/** Options that several commands have, and what a command line says of inputs and outputs. */
package org.buftrail.cli.options;
