/** The parts of the demo: the service's process, its jars, and the load on it. */
package org.buftrail.cli.demo;
