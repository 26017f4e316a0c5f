/** Whatever an input holds, each command ends as it says that it does. */
@org.jspecify.annotations.NullMarked
package org.buftrail.mutated;
