package org.buftrail.it.programs;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Allocators by name. */
final class Allocators {
  private Allocators() {}

  static ByteBufAllocator named(String name) throws ReflectiveOperationException {
    switch (name) {
      case "pooled":
        return PooledByteBufAllocator.DEFAULT;
      case "unpooled":
        return UnpooledByteBufAllocator.DEFAULT;
      default:
        // Not in every Netty that the programs are compiled against.
        return Class.forName("io.netty.buffer.AdaptiveByteBufAllocator")
            .asSubclass(ByteBufAllocator.class)
            .getConstructor()
            .newInstance();
    }
  }
}
