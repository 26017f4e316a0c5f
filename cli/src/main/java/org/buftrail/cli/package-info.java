/** The command line: where it begins, and how commands are found. */
package org.buftrail.cli;
