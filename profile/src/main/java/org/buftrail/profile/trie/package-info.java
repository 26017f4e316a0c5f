/** Stacks merged by their common prefix, as flame graphs and comparisons show them. */
package org.buftrail.profile.trie;
