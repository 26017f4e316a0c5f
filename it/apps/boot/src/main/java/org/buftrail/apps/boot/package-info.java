/** A shop made with Spring WebFlux. */
package org.buftrail.apps.boot;
