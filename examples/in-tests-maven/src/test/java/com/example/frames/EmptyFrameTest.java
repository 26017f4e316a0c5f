package com.example.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class EmptyFrameTest {
  @Test
  void isItsLengthAlone() {
    ByteBuf frame = Frames.encode(PooledByteBufAllocator.DEFAULT, "");
    assertEquals(4, frame.readableBytes());
    if (!Boolean.getBoolean("planted")) {
      frame.release();
    }
  }
}
