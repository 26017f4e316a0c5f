/** What changed between two sets of profiles. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.diff;
