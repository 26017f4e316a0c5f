/**
 * The tables that all profiles of one output share.
 *
 * <p>Every table hands out {@code int} indices in order of first appearance; index 0 is the zero
 * value and is always there. A look-up allocates nothing. All of it belongs to one thread.
 */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.dictionary;
