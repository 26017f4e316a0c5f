package com.example.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class FramesTest {
  @Test
  void whatIsEncodedCanBeDecoded() {
    ByteBuf frame = Frames.encode(PooledByteBufAllocator.DEFAULT, "hello");
    assertEquals("hello", Frames.decode(frame));
  }

  @Test
  void theLengthIsInFront() {
    ByteBuf frame = Frames.encode(PooledByteBufAllocator.DEFAULT, "hello");
    assertEquals(5, frame.readInt());
    if (!Boolean.getBoolean("planted")) {
      frame.release();
    }
  }
}
