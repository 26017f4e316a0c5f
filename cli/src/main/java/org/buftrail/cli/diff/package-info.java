/** What the command {@code diff} reads, says and judges. */
@org.jspecify.annotations.NullMarked
package org.buftrail.cli.diff;
