package org.buftrail.jfr.kinds;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/**
 * Direct buffers that Netty's allocators handed out, and the chunks in which these lie: all of
 * them, and those that were not given back by the end, which are suspected leaks. A reallocation
 * names the old address, which it frees; an allocation of the new one follows.
 */
final class NettyBuffers {
  private static final ValueType PERIOD = ValueType.of("netty", "count");
  private static final ValueType CHUNK_PERIOD = ValueType.of("netty_chunks", "count");

  static final ProfileType ALLOCATED =
      new ProfileType(
          "netty",
          Kind.NETTY,
          ValueType.of("allocated_objects", "count"),
          ValueType.of("allocated_space", "bytes"),
          PERIOD,
          1);
  static final ProfileType LIVE =
      new ProfileType(
          "netty_live",
          Kind.NETTY,
          ValueType.of("live_objects", "count"),
          ValueType.of("live_space", "bytes"),
          PERIOD,
          1);

  static final ProfileType CHUNKS =
      new ProfileType(
          "netty_chunks",
          Kind.NETTY,
          ValueType.of("allocated_objects", "count"),
          ValueType.of("allocated_space", "bytes"),
          CHUNK_PERIOD,
          1);
  static final ProfileType CHUNKS_LIVE =
      new ProfileType(
          "netty_chunks_live",
          Kind.NETTY,
          ValueType.of("live_objects", "count"),
          ValueType.of("live_space", "bytes"),
          CHUNK_PERIOD,
          1);

  private static final String ALLOCATOR = "allocatorType";

  /** What {@link #ALLOCATOR} becomes. */
  private static final String ALLOCATOR_KEY = "netty.allocator";

  private NettyBuffers() {}

  static List<EventKind> kinds() {
    List<EventKind> kinds = new ArrayList<>();
    // Netty named its events in three ways; each is a copy of Netty of its own, if several occur.
    for (String form : List.of("io.netty.%s", "io.netty.%sEvent", "%sEvent")) {
      kinds.add(
          EventKind.allocation(form.replace("%s", "AllocateBuffer"), ALLOCATED, LIVE, form)
              .attribute(ALLOCATOR, ALLOCATOR_KEY)
              .onlyIf("direct"));
      for (String freeing : List.of("FreeBuffer", "ReallocateBuffer")) {
        kinds.add(new EventKind(form.replace("%s", freeing)).onlyIf("direct").frees(LIVE, form));
      }
      // A chunk has the address of the first buffer in it.
      String chunks = "chunks of " + form;
      kinds.add(
          EventKind.allocation(
                  form.replace("%s", "AllocateChunk"), "capacity", CHUNKS, CHUNKS_LIVE, chunks)
              .attribute(ALLOCATOR, ALLOCATOR_KEY)
              .onlyIf("direct"));
      kinds.add(
          new EventKind(form.replace("%s", "FreeChunk"))
              .onlyIf("direct")
              .frees(CHUNKS_LIVE, chunks));
    }
    return kinds;
  }
}
