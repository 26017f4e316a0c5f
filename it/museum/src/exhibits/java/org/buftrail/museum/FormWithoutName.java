// ISSUE netty/netty#9837
// DEPS io.netty:netty-codec-http:4.1.43.Final
// REPAIRED 4.1.44.Final
// CULPRIT io.netty.handler.codec.http.multipart.HttpPostStandardRequestDecoder.<init>
// CULPRIT
// io.netty.handler.codec.http.multipart.HttpPostStandardRequestDecoder.parseBodyAttributesStandard
// CULPRIT io.netty.handler.codec.http.multipart.HttpPostStandardRequestDecoder.parseBodyAttributes
// INCLUDE io.netty.handler.codec.http

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.HttpPostStandardRequestDecoder;

/** A constructor throws after it has buffered the form. */
final class FormWithoutName {
  public static void main(String[] args) throws Exception {
    Visits.run(FormWithoutName::post);
  }

  private static void post(boolean nameless) {
    ByteBuf form = PooledByteBufAllocator.DEFAULT.directBuffer();
    form.writeBytes((nameless ? "==" : "a=1").getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/", form);
    try {
      new HttpPostStandardRequestDecoder(request).destroy();
    } catch (RuntimeException expected) {
      // Answered with 400.
    } finally {
      request.release();
    }
  }
}
