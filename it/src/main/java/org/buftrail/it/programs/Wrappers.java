package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.OwnWrappedByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteOrder;

/** Passes a buffer on inside wrappers: an own one, one of another byte order, a read-only one. */
public final class Wrappers {
  private Wrappers() {}

  /** Runs the program. */
  public static void main(String[] args) {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.heapBuffer(64).writeLong(1);
    own(new OwnWrappedByteBuf(buffer));
    swapped(swap(buffer));
    readOnly(buffer.asReadOnly());
    end(new OwnWrappedByteBuf(new OwnWrappedByteBuf(buffer.slice())));
  }

  @SuppressWarnings("deprecation") // applications still have it
  private static ByteBuf swap(ByteBuf buffer) {
    return buffer.order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void own(OwnWrappedByteBuf buffer) {
    buffer.markReaderIndex();
  }

  private static void swapped(ByteBuf buffer) {
    buffer.markReaderIndex();
  }

  private static void readOnly(ByteBuf buffer) {
    buffer.markReaderIndex();
  }

  private static void end(ByteBuf buffer) {
    buffer.release();
  }
}
