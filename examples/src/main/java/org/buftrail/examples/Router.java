package org.buftrail.examples;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Map;

/** Hands each request to the endpoint of its path. */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails closes, and is done with
final class Router extends SimpleChannelInboundHandler<FullHttpRequest> {
  private final Map<String, Endpoint> endpoints;

  Router(Map<String, Endpoint> endpoints) {
    this.endpoints = endpoints;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    Endpoint endpoint = endpoints.get(request.method() + " " + request.uri());
    if (endpoint == null) {
      Replies.send(ctx, HttpResponseStatus.NOT_FOUND, "no such page");
    } else {
      endpoint.handle(ctx, request);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    System.err.println("closed " + ctx.channel() + ": " + cause);
    ctx.close();
  }
}
