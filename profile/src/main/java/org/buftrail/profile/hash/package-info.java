/** How tables find their entries by what these hold. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.hash;
