/** What streams have in common, of profiles and of recordings. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.stream;
