package com.example.frames;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;

/** Texts with their length in front. */
public final class Frames {
  private Frames() {}

  /** What the caller releases. */
  public static ByteBuf encode(ByteBufAllocator allocator, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return allocator.directBuffer(4 + bytes.length).writeInt(bytes.length).writeBytes(bytes);
  }

  /** Releases the frame. */
  public static String decode(ByteBuf frame) {
    try {
      return frame.readCharSequence(frame.readInt(), StandardCharsets.UTF_8).toString();
    } finally {
      frame.release();
    }
  }
}
