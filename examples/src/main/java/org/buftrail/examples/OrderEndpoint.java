package org.buftrail.examples;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/**
 * {@code POST /orders} with a body such as {@code widget,3}.
 *
 * <p>Its error path leaks, on purpose: an order that is not valid is refused without a release of
 * the direct buffer that it was staged in.
 */
final class OrderEndpoint implements Endpoint {
  private final PlantedLeaks planted;

  OrderEndpoint(PlantedLeaks planted) {
    this.planted = planted;
  }

  @Override
  public void handle(ChannelHandlerContext ctx, FullHttpRequest request) {
    ByteBuf staged = stage(ctx.alloc(), request.content());
    if (!isValid(staged)) {
      refuse(ctx, staged);
      return;
    }
    ByteBuf receipt = receipt(ctx.alloc(), staged);
    staged.release();
    Replies.send(ctx, HttpResponseStatus.CREATED, "text/plain", receipt);
  }

  private static ByteBuf stage(ByteBufAllocator allocator, ByteBuf body) {
    ByteBuf staged = allocator.directBuffer(256);
    staged.writeBytes(body, body.readerIndex(), body.readableBytes());
    return staged;
  }

  /** Whether a comma is followed by a positive number. */
  private static boolean isValid(ByteBuf order) {
    String text = order.toString(StandardCharsets.UTF_8);
    return text.matches("[a-z]+,[1-9][0-9]{0,5}");
  }

  private void refuse(ChannelHandlerContext ctx, ByteBuf order) {
    planted.add();
    Replies.send(
        ctx, HttpResponseStatus.BAD_REQUEST, "no order in " + order.readableBytes() + " B");
  }

  private static ByteBuf receipt(ByteBufAllocator allocator, ByteBuf order) {
    ByteBuf receipt = allocator.buffer(order.readableBytes() + 16);
    receipt.writeCharSequence("ordered ", StandardCharsets.US_ASCII);
    return receipt.writeBytes(order, order.readerIndex(), order.readableBytes());
  }
}
