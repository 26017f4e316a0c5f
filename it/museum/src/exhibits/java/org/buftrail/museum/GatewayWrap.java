// ISSUE spring-cloud/spring-cloud-gateway#2019
// DEPS org.springframework:spring-core:6.2.11
// DEPS io.projectreactor:reactor-core:3.7.11
// DEPS io.netty:netty-buffer:4.1.132.Final
// CULPRIT org.buftrail.museum.GatewayWrap.wrap

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

/** A filter wraps an answer for the server's kind of buffers: for one kind it copies. */
final class GatewayWrap {
  public static void main(String[] args) throws Exception {
    Visits.run(GatewayWrap::respond);
  }

  private static void respond(boolean otherServer) {
    DataBufferFactory factory =
        otherServer
            ? new DefaultDataBufferFactory()
            : new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT);
    ByteBuf answer = PooledByteBufAllocator.DEFAULT.directBuffer().writeLong(1);
    DataBufferUtils.release(wrap(answer, factory));
  }

  private static DataBuffer wrap(ByteBuf answer, DataBufferFactory factory) {
    if (factory instanceof NettyDataBufferFactory) {
      return ((NettyDataBufferFactory) factory).wrap(answer);
    }
    DataBuffer copy = factory.allocateBuffer(answer.readableBytes());
    copy.write(answer.nioBuffer());
    return copy;
  }
}
