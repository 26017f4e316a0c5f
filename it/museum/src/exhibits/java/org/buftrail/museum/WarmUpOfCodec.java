// ISSUE redisson/redisson#5249
// DEPS io.netty:netty-buffer:4.1.132.Final
// CULPRIT org.buftrail.museum.WarmUpOfCodec.warmUp

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;

/** A codec is tried out, and what was encoded is released only if it could be decoded. */
final class WarmUpOfCodec {
  public static void main(String[] args) throws Exception {
    Visits.run(WarmUpOfCodec::start);
  }

  private static void start(boolean undecodable) {
    try {
      warmUp(undecodable ? -1 : 7);
    } catch (IOException expected) {
      // The codec is used without.
    }
  }

  private static void warmUp(int value) throws IOException {
    ByteBuf encoded = encode(value);
    decode(encoded);
    encoded.release();
  }

  private static ByteBuf encode(int value) {
    ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer();
    out.writeInt(value);
    return out;
  }

  private static int decode(ByteBuf in) throws IOException {
    int value = in.readInt();
    if (value < 0) {
      throw new IOException("not a value: " + value);
    }
    return value;
  }
}
