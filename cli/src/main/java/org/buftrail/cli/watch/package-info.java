/** A converter that stays: recordings are taken as they come. */
package org.buftrail.cli.watch;
