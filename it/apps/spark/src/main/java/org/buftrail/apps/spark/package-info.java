/** A shop that counts its orders with Spark. */
package org.buftrail.apps.spark;
