/** What the demo is made of: the service's process, its jars, and the load on it. */
package org.buftrail.cli.demo;
