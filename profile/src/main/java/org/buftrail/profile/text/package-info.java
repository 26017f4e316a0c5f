/** Profiles as text. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.text;
