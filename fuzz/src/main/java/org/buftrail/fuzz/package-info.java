/** What reads files of others, as targets for a fuzzer. */
@org.jspecify.annotations.NullMarked
package org.buftrail.fuzz;
