/** The text, summary and judgement of the command {@code diff}. */
@org.jspecify.annotations.NullMarked
package org.buftrail.cli.diff;
