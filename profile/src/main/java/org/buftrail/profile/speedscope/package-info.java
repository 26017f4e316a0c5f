/** Profiles for speedscope. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.speedscope;
