package org.buftrail.agent.pools;

import org.jspecify.annotations.Nullable;

/** Knows how buffers of one class lie in chunks. Confined to one thread. */
interface ChunkReader {
  /**
   * The chunk in which a buffer lies; null when it has just been released. What the allocator does
   * meanwhile may be seen in part.
   */
  @Nullable Object chunk(Object buffer) throws ReflectiveOperationException;

  /**
   * Adds a buffer to what lies in its chunk.
   *
   * @param bytes those that the buffer was asked for
   */
  void add(Object buffer, long bytes, ChunkUse use) throws ReflectiveOperationException;

  /** Begins the account of a chunk. */
  ChunkUse open(Object chunk) throws ReflectiveOperationException;

  /** Says what becomes of a chunk without its buffers, once all of them have been added. */
  void close(ChunkUse use) throws ReflectiveOperationException;

  /**
   * Adds to a path what may keep memory of a buffer after its release, as the next allocation's.
   */
  void keep(Object buffer, ChunkUse use, Holding holding) throws ReflectiveOperationException;

  /** How many buffers what may {@link #keep} some has room for now. */
  int room(Object keeper) throws ReflectiveOperationException;

  /** Whether an allocator keeps memory of one kind, with or without live buffers. */
  boolean keepsAny(PoolKey pool) throws ReflectiveOperationException;

  /** All chunks of an allocator that can be found, with or without live buffers. */
  Iterable<Object> chunks(PoolKey pool) throws ReflectiveOperationException;

  /** The bytes of a chunk. */
  long size(Object chunk) throws ReflectiveOperationException;

  /** The bytes of one kind of memory that an allocator says it keeps. */
  long bytes(PoolKey pool) throws ReflectiveOperationException;
}
