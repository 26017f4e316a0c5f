package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;

/** Holds a buffer. */
public class Message extends DefaultByteBufHolder {
  Message(ByteBuf content) {
    super(content);
  }
}
