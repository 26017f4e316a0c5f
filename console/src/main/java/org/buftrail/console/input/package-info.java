/** Whatever the commands read profiles from. */
@org.jspecify.annotations.NullMarked
package org.buftrail.console.input;
