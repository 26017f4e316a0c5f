/** The path tree: sites, nodes and roots, and counts by node. */
@NullMarked
package org.buftrail.flow.tree;

import org.jspecify.annotations.NullMarked;
