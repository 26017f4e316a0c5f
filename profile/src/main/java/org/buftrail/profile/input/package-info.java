/** What profiles are read from, told by content. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.input;
