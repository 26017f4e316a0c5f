/** The command line. */
package org.buftrail.cli;
