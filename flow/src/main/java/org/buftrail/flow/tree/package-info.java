/** The path tree: sites, nodes and roots; counts by node, those of misuses too. */
@NullMarked
package org.buftrail.flow.tree;

import org.jspecify.annotations.NullMarked;
