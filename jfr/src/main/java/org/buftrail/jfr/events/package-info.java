/** The events of a chunk, added up by the keys that they hold. */
package org.buftrail.jfr.events;
