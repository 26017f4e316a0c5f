package org.buftrail.jfr.kinds;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/**
 * Direct buffers that Netty's allocators handed out: all, and those that were not given back by the
 * end, which are suspected leaks. A reallocation names the old address, which it frees; an
 * allocation of the new one follows.
 */
final class NettyBuffers {
  private static final ValueType PERIOD = ValueType.of("netty", "count");

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

  private NettyBuffers() {}

  static List<EventKind> kinds() {
    List<EventKind> kinds = new ArrayList<>();
    // Netty named its events in three ways; each is a copy of Netty of its own, if several occur.
    for (String form : List.of("io.netty.%s", "io.netty.%sEvent", "%sEvent")) {
      kinds.add(
          EventKind.allocation(form.replace("%s", "AllocateBuffer"), ALLOCATED, LIVE, form)
              .attribute("allocatorType", "netty.allocator")
              .onlyIf("direct"));
      for (String freeing : List.of("FreeBuffer", "ReallocateBuffer")) {
        kinds.add(new EventKind(form.replace("%s", freeing)).onlyIf("direct").frees(LIVE, form));
      }
    }
    return kinds;
  }
}
