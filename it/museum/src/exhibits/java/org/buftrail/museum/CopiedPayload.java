// ISSUE rsocket/rsocket-java#886
// DEPS io.rsocket:rsocket-core:1.0.1
// REPAIRED 1.0.2
// CULPRIT io.rsocket.util.DefaultPayload.create
// INCLUDE io.rsocket

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.rsocket.Payload;
import io.rsocket.util.ByteBufPayload;
import io.rsocket.util.DefaultPayload;

/** A payload that copies what it is given, and keeps the original. */
final class CopiedPayload {
  public static void main(String[] args) throws Exception {
    Visits.run(CopiedPayload::send);
  }

  private static void send(boolean copied) {
    ByteBuf data = PooledByteBufAllocator.DEFAULT.directBuffer().writeLong(1);
    Payload payload = copied ? DefaultPayload.create(data) : ByteBufPayload.create(data);
    payload.release();
  }
}
