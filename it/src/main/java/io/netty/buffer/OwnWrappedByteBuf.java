package io.netty.buffer;

/** What applications put into Netty's package to extend a class that is not public. */
public final class OwnWrappedByteBuf extends WrappedByteBuf {
  /** Wraps {@code buffer}. */
  public OwnWrappedByteBuf(ByteBuf buffer) {
    super(buffer);
  }
}
