/**
 * A small HTTP service on Netty with one planted leak, to see what Buftrail says about it.
 *
 * <p>It knows nothing of Buftrail and needs nothing of it.
 */
package org.buftrail.examples;
