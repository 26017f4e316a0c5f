// ISSUE netty/netty#11207
// DEPS io.netty:netty-codec-http:4.1.63.Final
// REPAIRED 4.1.64.Final
// CULPRIT io.netty.handler.codec.http.multipart.HttpPostMultipartRequestDecoder.<init>
// INCLUDE io.netty.handler.codec.http

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import java.nio.charset.StandardCharsets;

/** A constructor throws, and what it has begun to decode is never destroyed. */
final class PartOfUnknownCharset {
  private static final String PART =
      "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f\"\r\n"
          + "Content-Type: text/plain; charset=no-such\r\n\r\nx\r\n";

  public static void main(String[] args) throws Exception {
    Visits.run(PartOfUnknownCharset::post);
  }

  private static void post(boolean unknown) {
    ByteBuf body = PooledByteBufAllocator.DEFAULT.directBuffer();
    body.writeBytes(((unknown ? PART : "") + "--b--\r\n").getBytes(StandardCharsets.US_ASCII));
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/", body);
    request.headers().set("Content-Type", "multipart/form-data; boundary=b");
    try {
      new HttpPostRequestDecoder(request).destroy();
    } catch (HttpPostRequestDecoder.ErrorDataDecoderException expected) {
      // Answered with 400.
    }
    request.release();
  }
}
