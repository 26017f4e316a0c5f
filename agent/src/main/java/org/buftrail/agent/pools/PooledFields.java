package org.buftrail.agent.pools;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The members of {@code PooledByteBufAllocator}, and of what is behind it, that are read.
 *
 * <p>Netty 4.1.52 to 4.1.140 and 4.2.0 to 4.2.20 have all of them; before, a chunk was divided in
 * another way. {@code PoolArena.sizeClass} is there from 4.1.101 on: until then an arena was itself
 * a {@code SizeClasses}. {@code PoolArena.lock} is there from 4.1.80 on.
 */
final class PooledFields {
  final Field chunk;
  final Field handle;
  final Field maxLength;
  final Field cache;

  final Field arena;
  final Field unpooled;
  final Field freeBytes;
  final Field parent;
  final Field pageShifts;
  final Field subpages;
  final Method chunkSize;

  final Field maxNumElems;
  final Field numAvail;

  final Field allocator;
  final Field emptiest;
  final Field smallSubpagePools;
  final @Nullable Field sizeClass;
  final @Nullable Field lock;
  final Method sizeIndex;
  final Method isDirect;

  final Field smallDirect;
  final Field smallHeap;
  final Field normalDirect;
  final Field normalHeap;
  final Field freed;
  final Field queue;
  final Field queueSize;

  final Method metric;
  final Method usedDirect;
  final Method usedHeap;
  final Method directArenas;
  final Method heapArenas;
  final Method chunkLists;

  /**
   * @param buffer the class {@code PooledByteBuf}
   * @throws ReflectiveOperationException naming what this Netty does not have
   */
  PooledFields(Class<?> buffer, Members members) throws ReflectiveOperationException {
    Class<?> loaded = members.type(buffer.getSimpleName());
    chunk = members.field(loaded, "chunk");
    handle = members.field(loaded, "handle");
    maxLength = members.field(loaded, "maxLength");
    cache = members.field(loaded, "cache");
    Class<?> chunks = members.type("PoolChunk");
    members.field(chunks, "runsAvailMap");
    arena = members.field(chunks, "arena");
    unpooled = members.field(chunks, "unpooled");
    freeBytes = members.field(chunks, "freeBytes");
    parent = members.field(chunks, "parent");
    pageShifts = members.field(chunks, "pageShifts");
    subpages = members.field(chunks, "subpages");
    chunkSize = members.method(chunks, "chunkSize");
    maxNumElems = members.field("PoolSubpage", "maxNumElems");
    numAvail = members.field("PoolSubpage", "numAvail");
    Class<?> arenas = members.type("PoolArena");
    allocator = members.field(arenas, "parent");
    emptiest = members.field(arenas, "qInit");
    smallSubpagePools = members.field(arenas, "smallSubpagePools");
    sizeClass = members.fieldOrNull(arenas, "sizeClass");
    lock = members.fieldOrNull(arenas, "lock");
    sizeIndex = members.method(members.type("SizeClasses"), "size2SizeIdx", int.class);
    isDirect = members.method(arenas, "isDirect");
    Class<?> caches = members.type("PoolThreadCache");
    smallDirect = members.field(caches, "smallSubPageDirectCaches");
    smallHeap = members.field(caches, "smallSubPageHeapCaches");
    normalDirect = members.field(caches, "normalDirectCaches");
    normalHeap = members.field(caches, "normalHeapCaches");
    freed = members.field(caches, "freed");
    Class<?> region = members.type("PoolThreadCache$MemoryRegionCache");
    queue = members.field(region, "queue");
    queueSize = members.field(region, "size");
    metric = members.method(members.type("PooledByteBufAllocator"), "metric");
    Class<?> metrics = members.type("PooledByteBufAllocatorMetric");
    usedDirect = members.method(metrics, "usedDirectMemory");
    usedHeap = members.method(metrics, "usedHeapMemory");
    directArenas = members.method(metrics, "directArenas");
    heapArenas = members.method(metrics, "heapArenas");
    chunkLists = members.method(members.type("PoolArenaMetric"), "chunkLists");
  }
}
