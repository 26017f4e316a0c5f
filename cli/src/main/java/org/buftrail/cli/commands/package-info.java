/** The commands, one class each. */
package org.buftrail.cli.commands;
