package org.buftrail.it.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** An application whose static initialiser makes a buffer that is still there in the end. */
public final class NettyNamed {
  private static final ByteBuf HEADER = UnpooledByteBufAllocator.DEFAULT.directBuffer(64);

  private NettyNamed() {}

  /** Runs the program. */
  public static void main(String[] args) {
    System.out.print(HEADER.refCnt());
  }
}
