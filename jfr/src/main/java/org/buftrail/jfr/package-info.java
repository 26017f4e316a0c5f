/** Reads JDK Flight Recorder files and turns their events into profiles. */
package org.buftrail.jfr;
