/** The formats that profiles are written in, and their writers. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.output;
