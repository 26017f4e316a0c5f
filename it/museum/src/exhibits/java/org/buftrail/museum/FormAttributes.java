// ISSUE netty/netty#11188
// DEPS io.netty:netty-codec-http:4.1.63.Final
// REPAIRED 4.1.64.Final
// CULPRIT io.netty.handler.codec.http.multipart.HttpPostStandardRequestDecoder.offer
// CULPRIT io.netty.handler.codec.http.multipart.HttpPostStandardRequestDecoder.destroy
// INCLUDE io.netty.handler.codec.http

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import java.nio.charset.StandardCharsets;

/** A decoder is destroyed, and the attributes that it holds in memory are not released. */
final class FormAttributes {
  public static void main(String[] args) throws Exception {
    Visits.run(FormAttributes::post);
  }

  private static void post(boolean withAttribute) {
    ByteBuf form = PooledByteBufAllocator.DEFAULT.directBuffer();
    form.writeBytes((withAttribute ? "a=1" : "").getBytes(StandardCharsets.US_ASCII));
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/", form);
    new HttpPostRequestDecoder(new DefaultHttpDataFactory(false), request).destroy();
    request.release();
  }
}
