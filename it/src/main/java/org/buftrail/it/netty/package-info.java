/** A package of an application whose name has Netty's in it. */
package org.buftrail.it.netty;
