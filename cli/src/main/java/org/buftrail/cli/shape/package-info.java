/** What is left out of profiles, and how their stacks look, between reading and writing them. */
@org.jspecify.annotations.NullMarked
package org.buftrail.cli.shape;
