package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.buffer.Unpooled;

/** A holder with the methods that every holder has, and one of its own. */
public final class Parcel extends DefaultByteBufHolder {
  private Parcel(ByteBuf content) {
    super(content);
  }

  @Override
  public ByteBuf content() {
    return super.content();
  }

  @Override
  public Parcel touch() {
    super.touch();
    return this;
  }

  /** One that not every holder has. */
  public ByteBuf unpack() {
    return super.content();
  }

  /** Uses all of them. */
  public static Object run() {
    Parcel parcel = new Parcel(Unpooled.wrappedBuffer(new byte[4]));
    parcel.touch();
    parcel.content();
    return parcel.unpack();
  }
}
