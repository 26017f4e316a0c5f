package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Hands a buffer on inside an object that Netty does not know. */
public final class Constructed {
  private Constructed() {}

  /** Runs the program. */
  public static void main(String[] args) {
    pass(new Envelope("to", UnpooledByteBufAllocator.DEFAULT.heapBuffer(8)));
  }

  private static void pass(Envelope envelope) {
    envelope.content.release();
  }

  /** Not a holder, and not known for a wrapper, since it has two. */
  static final class Envelope {
    private final ByteBuf content;
    private final ByteBuf seal = Unpooled.EMPTY_BUFFER;

    Envelope(String address, ByteBuf content) {
      this.content = content.writeInt(address.length() + seal.readableBytes());
    }
  }
}
