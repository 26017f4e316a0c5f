package org.buftrail.examples;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/** {@code GET /hello}: a small JSON document. */
final class HelloEndpoint implements Endpoint {
  @Override
  public void handle(ChannelHandlerContext ctx, FullHttpRequest request) {
    Replies.send(ctx, HttpResponseStatus.OK, "application/json", greeting(ctx.alloc()));
  }

  private static ByteBuf greeting(ByteBufAllocator allocator) {
    ByteBuf body = allocator.buffer(64);
    body.writeCharSequence("{\"greeting\":\"hello\"}", StandardCharsets.US_ASCII);
    return body;
  }
}
