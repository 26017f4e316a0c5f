/** A shop that keeps its orders in Redis, with Lettuce. */
package org.buftrail.apps.lettuce;
