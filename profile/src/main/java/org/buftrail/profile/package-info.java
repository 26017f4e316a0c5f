/**
 * What a profile is: samples over shared dictionary tables, and the writers and readers of its
 * formats.
 */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile;
