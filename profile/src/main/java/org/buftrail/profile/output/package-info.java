/** The formats that profiles are written in, and who writes each. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.output;
