package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Calls what {@code Unpooled} offers, each from a method of its own. */
public final class UnpooledMakers {
  private UnpooledMakers() {}

  /** Runs the program. */
  public static void main(String[] args) {
    arrays();
    nioHeap();
    nioDirect();
    copiedArray();
    copiedText();
    copiedBuffer();
    copiedNumber();
    manyBuffers();
    unmodifiable();
    composite();
    view();
  }

  private static void arrays() {
    take(Unpooled.wrappedBuffer(new byte[3], new byte[4]));
  }

  private static void nioHeap() {
    take(Unpooled.wrappedBuffer(ByteBuffer.allocate(5)));
  }

  private static void nioDirect() {
    take(Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(6)));
  }

  private static void copiedArray() {
    take(Unpooled.copiedBuffer(new byte[7]));
  }

  private static void copiedText() {
    take(Unpooled.copiedBuffer("eight", StandardCharsets.US_ASCII));
  }

  private static void copiedBuffer() {
    ByteBuf source = Unpooled.buffer(8).writeLong(1);
    take(Unpooled.copiedBuffer(source));
    source.release();
  }

  private static void copiedNumber() {
    take(Unpooled.copyInt(9));
  }

  private static void manyBuffers() {
    ByteBuf first = Unpooled.buffer(10).writeZero(10);
    ByteBuf second = Unpooled.buffer(11).writeZero(11);
    take(Unpooled.wrappedBuffer(first, second));
  }

  private static void unmodifiable() {
    ByteBuf first = Unpooled.directBuffer(12).writeZero(12);
    ByteBuf second = Unpooled.directBuffer(13).writeZero(13);
    take(Unpooled.wrappedUnmodifiableBuffer(first, second));
  }

  private static void composite() {
    take(Unpooled.compositeBuffer().addComponent(true, Unpooled.buffer(14).writeZero(14)));
  }

  private static void view() {
    take(Unpooled.wrappedBuffer(Unpooled.buffer(15).writeZero(15)));
  }

  private static void take(ByteBuf buffer) {
    buffer.release();
  }
}
