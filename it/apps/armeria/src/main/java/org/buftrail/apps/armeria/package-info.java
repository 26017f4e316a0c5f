/** A shop made with Armeria. */
package org.buftrail.apps.armeria;
