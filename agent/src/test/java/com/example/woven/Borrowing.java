package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** An allocator that gives what another has made. */
final class Borrowing implements ByteBufAllocator {
  private static final ByteBufAllocator UNPOOLED = UnpooledByteBufAllocator.DEFAULT;

  @Override
  public ByteBuf buffer() {
    return UNPOOLED.buffer();
  }

  @Override
  public ByteBuf buffer(int initial) {
    return UNPOOLED.buffer(initial);
  }

  @Override
  public ByteBuf buffer(int initial, int most) {
    return UNPOOLED.buffer(initial, most);
  }

  @Override
  public ByteBuf ioBuffer() {
    return UNPOOLED.ioBuffer();
  }

  @Override
  public ByteBuf ioBuffer(int initial) {
    return UNPOOLED.ioBuffer(initial);
  }

  @Override
  public ByteBuf ioBuffer(int initial, int most) {
    return UNPOOLED.ioBuffer(initial, most);
  }

  @Override
  public ByteBuf heapBuffer() {
    return UNPOOLED.heapBuffer();
  }

  @Override
  public ByteBuf heapBuffer(int initial) {
    return UNPOOLED.heapBuffer(initial);
  }

  @Override
  public ByteBuf heapBuffer(int initial, int most) {
    return UNPOOLED.heapBuffer(initial, most);
  }

  @Override
  public ByteBuf directBuffer() {
    return UNPOOLED.directBuffer();
  }

  @Override
  public ByteBuf directBuffer(int initial) {
    return UNPOOLED.directBuffer(initial);
  }

  @Override
  public ByteBuf directBuffer(int initial, int most) {
    return UNPOOLED.directBuffer(initial, most);
  }

  @Override
  public CompositeByteBuf compositeBuffer() {
    return UNPOOLED.compositeBuffer();
  }

  @Override
  public CompositeByteBuf compositeBuffer(int components) {
    return UNPOOLED.compositeBuffer(components);
  }

  @Override
  public CompositeByteBuf compositeHeapBuffer() {
    return UNPOOLED.compositeHeapBuffer();
  }

  @Override
  public CompositeByteBuf compositeHeapBuffer(int components) {
    return UNPOOLED.compositeHeapBuffer(components);
  }

  @Override
  public CompositeByteBuf compositeDirectBuffer() {
    return UNPOOLED.compositeDirectBuffer();
  }

  @Override
  public CompositeByteBuf compositeDirectBuffer(int components) {
    return UNPOOLED.compositeDirectBuffer(components);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return UNPOOLED.isDirectBufferPooled();
  }

  @Override
  public int calculateNewCapacity(int least, int most) {
    return UNPOOLED.calculateNewCapacity(least, most);
  }
}
