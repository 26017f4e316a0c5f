/** Merges the chunks of recordings, in their order, into profiles over one dictionary. */
package org.buftrail.jfr.merge;
