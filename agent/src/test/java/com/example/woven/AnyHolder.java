package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.buffer.DefaultByteBufHolder;

/** All of a holder but what it holds. */
abstract class AnyHolder implements ByteBufHolder {
  @Override
  public ByteBufHolder copy() {
    return new DefaultByteBufHolder(content().copy());
  }

  @Override
  public ByteBufHolder duplicate() {
    return new DefaultByteBufHolder(content().duplicate());
  }

  @Override
  public ByteBufHolder retainedDuplicate() {
    return new DefaultByteBufHolder(content().retainedDuplicate());
  }

  @Override
  public ByteBufHolder replace(ByteBuf content) {
    return new DefaultByteBufHolder(content);
  }

  @Override
  public int refCnt() {
    return content().refCnt();
  }

  @Override
  public ByteBufHolder retain() {
    content().retain();
    return this;
  }

  @Override
  public ByteBufHolder retain(int increment) {
    content().retain(increment);
    return this;
  }

  @Override
  public ByteBufHolder touch() {
    return this;
  }

  @Override
  public ByteBufHolder touch(Object hint) {
    return this;
  }

  @Override
  public boolean release() {
    return content().release();
  }

  @Override
  public boolean release(int decrement) {
    return content().release(decrement);
  }
}
