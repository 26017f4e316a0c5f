/**
 * Asks Netty's allocators at a moment which chunks there are, and which live buffers lie in each.
 * {@link org.buftrail.agent.pools.PooledFields} and {@link org.buftrail.agent.pools.AdaptiveFields}
 * list the private members that this reads.
 */
package org.buftrail.agent.pools;
