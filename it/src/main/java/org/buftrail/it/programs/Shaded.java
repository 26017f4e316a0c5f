package org.buftrail.it.programs;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.CompositeByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.DefaultByteBufHolder;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;

/** Uses the Netty that gRPC brings under another name. */
public final class Shaded {
  private Shaded() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    Garbage lost = new Garbage();
    pass(PooledByteBufAllocator.DEFAULT.directBuffer(100));
    hold(new DefaultByteBufHolder(PooledByteBufAllocator.DEFAULT.heapBuffer(100)));
    lose(lost);
    lost.awaitCollection();
  }

  private static void pass(ByteBuf buffer) {
    buffer.retain().release();
    buffer.release();
  }

  private static void hold(DefaultByteBufHolder holder) {
    holder.release();
  }

  private static void lose(Garbage lost) {
    CompositeByteBuf composite = PooledByteBufAllocator.DEFAULT.compositeDirectBuffer();
    composite.addComponent(true, PooledByteBufAllocator.DEFAULT.directBuffer(10).writeZero(10));
    lost.add(composite);
  }
}
