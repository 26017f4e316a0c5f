package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;

/** Does to released buffers what must not be done, and demands Netty's own exception each time. */
public final class Misuser {
  private Misuser() {}

  /** Runs the program. */
  public static void main(String[] args) {
    misuse(PooledByteBufAllocator.DEFAULT.directBuffer(64));
    misuse(UnpooledByteBufAllocator.DEFAULT.heapBuffer(64));
  }

  private static void misuse(ByteBuf buffer) {
    buffer.writeLong(1);
    ByteBuf view = buffer.slice();
    releaseFirst(buffer);
    expectException(() -> releaseAgain(buffer));
    expectException(() -> retainDead(buffer));
    expectException(() -> readDead(buffer));
    expectException(() -> readDead(view));
  }

  private static void expectException(Runnable misuse) {
    try {
      misuse.run();
    } catch (IllegalReferenceCountException expected) {
      return;
    }
    throw new IllegalStateException("no exception");
  }

  private static void releaseFirst(ByteBuf buffer) {
    buffer.release();
  }

  private static void releaseAgain(ByteBuf buffer) {
    buffer.release();
  }

  private static void retainDead(ByteBuf buffer) {
    buffer.retain();
  }

  private static void readDead(ByteBuf buffer) {
    buffer.getByte(0);
  }
}
