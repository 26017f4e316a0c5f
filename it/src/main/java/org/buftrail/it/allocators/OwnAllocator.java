package org.buftrail.it.allocators;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;

/** Implements the interface itself, and makes its buffers by their constructors. */
public final class OwnAllocator implements ByteBufAllocator {
  private static final int INITIAL = 256;
  private static final int COMPONENTS = 16;

  /** For the programs. */
  public OwnAllocator() {}

  @Override
  public ByteBuf buffer() {
    return heapBuffer();
  }

  @Override
  public ByteBuf buffer(int initialCapacity) {
    return heapBuffer(initialCapacity);
  }

  @Override
  public ByteBuf buffer(int initialCapacity, int maxCapacity) {
    return heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf ioBuffer() {
    return directBuffer();
  }

  @Override
  public ByteBuf ioBuffer(int initialCapacity) {
    return directBuffer(initialCapacity);
  }

  @Override
  public ByteBuf ioBuffer(int initialCapacity, int maxCapacity) {
    return directBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf heapBuffer() {
    return heapBuffer(INITIAL);
  }

  @Override
  public ByteBuf heapBuffer(int initialCapacity) {
    return heapBuffer(initialCapacity, Integer.MAX_VALUE);
  }

  @Override
  public ByteBuf heapBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf directBuffer() {
    return directBuffer(INITIAL);
  }

  @Override
  public ByteBuf directBuffer(int initialCapacity) {
    return directBuffer(initialCapacity, Integer.MAX_VALUE);
  }

  @Override
  public ByteBuf directBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity);
  }

  @Override
  public CompositeByteBuf compositeBuffer() {
    return compositeBuffer(COMPONENTS);
  }

  @Override
  public CompositeByteBuf compositeBuffer(int maxNumComponents) {
    return compositeHeapBuffer(maxNumComponents);
  }

  @Override
  public CompositeByteBuf compositeHeapBuffer() {
    return compositeHeapBuffer(COMPONENTS);
  }

  @Override
  public CompositeByteBuf compositeHeapBuffer(int maxNumComponents) {
    return new CompositeByteBuf(this, false, maxNumComponents);
  }

  @Override
  public CompositeByteBuf compositeDirectBuffer() {
    return compositeDirectBuffer(COMPONENTS);
  }

  @Override
  public CompositeByteBuf compositeDirectBuffer(int maxNumComponents) {
    return new CompositeByteBuf(this, true, maxNumComponents);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }

  @Override
  public int calculateNewCapacity(int minNewCapacity, int maxCapacity) {
    return Math.min(maxCapacity, minNewCapacity * 2);
  }
}
