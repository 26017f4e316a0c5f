package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.buftrail.it.allocators.BrokenBuffer;

/** Passes a buffer around that the tracker cannot ask, so often, then uses one as anybody would. */
public final class Broken {
  private Broken() {}

  /** Runs the program. */
  public static void main(String[] args) {
    ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.heapBuffer(16);
    ByteBuf broken = BrokenBuffer.allocator().heapBuffer(16);
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      pass(give(broken));
    }
    buffer.release();
    UnpooledByteBufAllocator.DEFAULT.heapBuffer(16).release();
    System.out.print("done");
  }

  private static ByteBuf give(ByteBuf buffer) {
    return buffer;
  }

  private static void pass(ByteBuf buffer) {
    buffer.markReaderIndex();
  }
}
