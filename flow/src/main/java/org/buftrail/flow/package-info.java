/** What application threads execute for every tracked buffer: trie, nursery, counters, snapshot. */
package org.buftrail.flow;
