/** Benchmarks of the converter and of what it is made of, beside others that do the same. */
@org.jspecify.annotations.NullMarked
package org.buftrail.benchmarks.convert;
