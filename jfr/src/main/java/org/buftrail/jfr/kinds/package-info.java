/**
 * Which events become which profiles: declarations alone, one class for each kind of profile. How
 * they are read is no business of this package.
 */
package org.buftrail.jfr.kinds;
