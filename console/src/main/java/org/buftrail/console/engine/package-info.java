/** Engines that are in jars of their own, beside the command line. */
package org.buftrail.console.engine;
