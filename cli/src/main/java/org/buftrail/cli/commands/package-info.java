/** What each command does, one class a command. */
package org.buftrail.cli.commands;
