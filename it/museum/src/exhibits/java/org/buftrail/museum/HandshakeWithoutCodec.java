// ISSUE netty/netty#13338
// DEPS io.netty:netty-codec-http:4.1.91.Final
// REPAIRED 4.1.92.Final
// CULPRIT io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker.handshake
// INCLUDE io.netty.handler.codec.http

package org.buftrail.museum;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker13;

/** The answer to a handshake is made, and then the pipeline has no codec to send it with. */
final class HandshakeWithoutCodec {
  public static void main(String[] args) throws Exception {
    Visits.run(HandshakeWithoutCodec::shake);
  }

  private static void shake(boolean bare) {
    EmbeddedChannel channel =
        bare ? new EmbeddedChannel() : new EmbeddedChannel(new HttpServerCodec());
    channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
    FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    request
        .headers()
        .set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
        .set("Sec-WebSocket-Version", "13")
        .set("Connection", "Upgrade")
        .set("Upgrade", "websocket")
        .set("Host", "localhost");
    new WebSocketServerHandshaker13("ws://localhost", null, false, 1024)
        .handshake(channel, request);
    channel.finishAndReleaseAll();
    request.release();
  }
}
