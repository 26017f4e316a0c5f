package org.buftrail.examples;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;

/** {@code GET /report}: a chunked response, each chunk a composite of a heading and its rows. */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails closes, and is done with
final class ReportEndpoint implements Endpoint {
  private static final int SECTIONS = 4;
  private static final int ROWS = 16;

  @Override
  public void handle(ChannelHandlerContext ctx, FullHttpRequest request) {
    HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain");
    HttpUtil.setTransferEncodingChunked(head, true);
    ctx.write(head);
    for (int section = 1; section <= SECTIONS; section++) {
      ctx.write(new DefaultHttpContent(section(ctx.alloc(), section)));
    }
    ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
  }

  private static CompositeByteBuf section(ByteBufAllocator allocator, int number) {
    return allocator
        .compositeBuffer(2)
        .addComponent(true, text(allocator, "section " + number + "\n"))
        .addComponent(true, rows(allocator, number));
  }

  private static ByteBuf rows(ByteBufAllocator allocator, int section) {
    ByteBuf rows = allocator.directBuffer(ROWS * 16);
    for (int row = 1; row <= ROWS; row++) {
      rows.writeCharSequence("row " + section + "." + row + "\n", StandardCharsets.US_ASCII);
    }
    return rows;
  }

  private static ByteBuf text(ByteBufAllocator allocator, String text) {
    ByteBuf buffer = allocator.heapBuffer(text.length());
    buffer.writeCharSequence(text, StandardCharsets.US_ASCII);
    return buffer;
  }
}
