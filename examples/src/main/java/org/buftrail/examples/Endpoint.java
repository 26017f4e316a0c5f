package org.buftrail.examples;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;

/** Answers the requests of one path. The request is released by the caller. */
interface Endpoint {
  void handle(ChannelHandlerContext ctx, FullHttpRequest request);
}
