/** A shop made with Micronaut. */
package org.buftrail.apps.micronaut;
