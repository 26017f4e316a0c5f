package org.buftrail.examples;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;

/** {@code POST /echo}: sends the request's own buffer back, without a copy. */
final class EchoEndpoint implements Endpoint {
  @Override
  public void handle(ChannelHandlerContext ctx, FullHttpRequest request) {
    Replies.send(
        ctx, HttpResponseStatus.OK, "application/octet-stream", request.content().retain());
  }
}
