/** A shop made with Vert.x. */
package org.buftrail.apps.vertx;
