package com.example.woven;

import io.netty.buffer.Unpooled;

/** Hands a message on that holds a buffer, and whose class may be missing. */
public final class Takes {
  private Takes() {}

  /** Hands one on. */
  public static Object run() {
    Message message = new Message(Unpooled.wrappedBuffer(new byte[4]));
    take(message);
    return message.content();
  }

  private static void take(Message message) {
    message.touch();
  }
}
