package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;

/** Asks for buffers and hands them on. */
public final class Calls {
  private Calls() {}

  /** Asks one of Netty's classes for a buffer. */
  public static Object ask() {
    return Unpooled.wrappedBuffer(new byte[4]);
  }

  /** Uses a buffer class that is derived from Netty's in two steps. */
  public static Object ownBuffer() {
    ByteBuf own = new Further();
    own.clear();
    ByteBuf source = Unpooled.wrappedBuffer(new byte[4]);
    own.writeBytes(source);
    source.release();
    return own;
  }

  /** Derived from Netty's. */
  public static class Nearer extends UnpooledHeapByteBuf {
    Nearer() {
      super(UnpooledByteBufAllocator.DEFAULT, 8, 64);
    }
  }

  /** Derived from that. */
  public static final class Further extends Nearer {
    @Override
    public ByteBuf clear() {
      return super.clear();
    }

    @Override
    public ByteBuf writeBytes(ByteBuf source) {
      return super.writeBytes(source);
    }
  }
}
