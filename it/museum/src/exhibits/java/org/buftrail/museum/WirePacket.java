// ISSUE dmulloy2/ProtocolLib#487
// DEPS io.netty:netty-buffer:4.1.132.Final
// CULPRIT org.buftrail.museum.WirePacket.bytes

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** A packet is serialised to a buffer for its bytes alone, and the buffer stays. */
final class WirePacket {
  public static void main(String[] args) throws Exception {
    Visits.run(WirePacket::send);
  }

  private static void send(boolean asBytes) {
    if (asBytes) {
      bytes(7);
    } else {
      ByteBuf buffer = serialize(7);
      buffer.release();
    }
  }

  private static byte[] bytes(int id) {
    ByteBuf buffer = serialize(id);
    return toArray(buffer);
  }

  private static ByteBuf serialize(int id) {
    ByteBuf store = PooledByteBufAllocator.DEFAULT.directBuffer();
    return store.writeInt(id).writeLong(42);
  }

  private static byte[] toArray(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), bytes);
    return bytes;
  }
}
