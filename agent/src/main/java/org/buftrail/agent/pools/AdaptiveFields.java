package org.buftrail.agent.pools;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The members of {@code AdaptivePoolingAllocator} that are read.
 *
 * <p>Netty 4.1.118 to 4.1.140 and 4.2.0 to 4.2.20 have those that are always read. Where a chunk
 * counts its buffers has changed: {@code Chunk.refCnt()} until 4.2.7 and in all of 4.1, {@code
 * Chunk.refCnt} of type {@code RefCnt} from 4.2.8 on; and for chunks of equal segments the free
 * segments, from 4.1.13x and 4.2.11 on, where {@code SizeClassedChunk.state} is.
 */
final class AdaptiveFields {
  final Class<?> chunks;
  final Class<?> threads;

  final Field chunk;

  /** Null before 4.1.126 and 4.2.2. */
  final @Nullable Field maxFastCapacity;

  final Field allocator;
  final Field magazine;
  final Field delegate;
  final Field capacity;
  final Field allocatedBytes;
  final @Nullable Field pooled;
  final @Nullable Field refCnt;
  final Method count;
  final Method isDirect;
  final Method usedMemory;

  final @Nullable Segments segments;

  final Field threadLocalMap;
  final Field indexedVariables;

  /**
   * @param buffer the class {@code AdaptivePoolingAllocator$AdaptiveByteBuf}
   * @throws ReflectiveOperationException naming what this Netty does not have
   */
  AdaptiveFields(Class<?> buffer, Members members) throws ReflectiveOperationException {
    String outer = "AdaptivePoolingAllocator";
    chunk = members.field(outer + "$AdaptiveByteBuf", "chunk");
    maxFastCapacity = members.fieldOrNull(buffer, "maxFastCapacity");
    chunks = members.type(outer + "$Chunk");
    allocator = members.field(chunks, "allocator");
    magazine = members.field(chunks, "magazine");
    delegate = members.field(chunks, "delegate");
    capacity = members.field(chunks, "capacity");
    allocatedBytes = members.field(chunks, "allocatedBytes");
    pooled = members.fieldOrNull(chunks, "pooled");
    Field counter = members.field(chunks, "refCnt");
    boolean isPlain = counter.getType() == int.class;
    refCnt = isPlain ? null : counter;
    count =
        isPlain
            ? members.method(chunks, "refCnt")
            : members.method(counter.getType(), "refCnt", counter.getType());
    isDirect = members.method(members.type("ByteBuf"), "isDirect");
    usedMemory = members.method(members.type(outer), "usedMemory");
    Class<?> segmented = members.typeOrNull(outer + "$SizeClassedChunk");
    boolean isCounted = segmented != null && members.fieldOrNull(segmented, "state") != null;
    segments = segmented == null || !isCounted ? null : new Segments(segmented, members);
    Members util = new Members(members.inUtil("concurrent.FastThreadLocalThread"), members);
    threads = util.type("FastThreadLocalThread");
    threadLocalMap = util.field(threads, "threadLocalMap");
    Members internal = new Members(members.inUtil("internal.InternalThreadLocalMap"), members);
    Class<?> map = internal.type("InternalThreadLocalMap");
    Field slots = internal.fieldOrNull(map, "indexedVariables");
    indexedVariables =
        slots != null
            ? slots
            : internal.field(internal.type("UnpaddedInternalThreadLocalMap"), "indexedVariables");
  }

  /** Of chunks of equal segments, where these say which are free. */
  static final class Segments {
    final Class<?> type;
    final Field state;
    final Field count;
    final Field size;
    final Field external;
    final Field local;
    final Field top;
    final Method queueSize;

    private Segments(Class<?> type, Members members) throws ReflectiveOperationException {
      this.type = type;
      state = members.field(type, "state");
      count = members.field(type, "segments");
      size = members.field(type, "segmentSize");
      external = members.field(type, "externalFreeList");
      local = members.field(type, "localFreeList");
      top = members.field(local.getType(), "top");
      queueSize = members.method(external.getType(), "size");
    }

    int free(Object chunk) throws ReflectiveOperationException {
      Object stack = local.get(chunk);
      int queued = (int) queueSize.invoke(external.get(chunk));
      return queued + (stack == null ? 0 : top.getInt(stack) + 1);
    }
  }
}
