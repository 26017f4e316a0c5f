package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** A pooled slice with a count of its own that is released, and one that leaks with its parent. */
public final class Derived {
  private Derived() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    Garbage leaked = new Garbage();
    release();
    leak(leaked);
    leaked.awaitCollection();
  }

  private static void release() {
    ByteBuf parent = PooledByteBufAllocator.DEFAULT.directBuffer(256).writeLong(1);
    ByteBuf slice = parent.retainedSlice(0, 4);
    passSlice(slice);
    slice.release();
    passParent(parent);
    parent.release();
  }

  private static void leak(Garbage leaked) {
    ByteBuf parent = PooledByteBufAllocator.DEFAULT.directBuffer(512).writeLong(1);
    ByteBuf slice = parent.retainedSlice(0, 4);
    parent.release();
    drop(slice);
    leaked.add(parent);
    leaked.add(slice);
  }

  private static void passSlice(ByteBuf buffer) {
    buffer.markReaderIndex();
  }

  private static void passParent(ByteBuf buffer) {
    buffer.markReaderIndex();
  }

  private static void drop(ByteBuf buffer) {
    buffer.markReaderIndex();
  }
}
