// DEPS io.projectreactor.netty:reactor-netty-http:1.3.8
// CULPRIT org.buftrail.frameworks.ReactorNetty.refuse

package org.buftrail.frameworks;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Takes whole bodies, and keeps those that it refuses. */
final class ReactorNetty {
  public static void main(String[] args) throws Exception {
    DisposableServer server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .handle(
                (request, response) ->
                    response.sendString(
                        request.receive().aggregate().retain().map(ReactorNetty::answer)))
            .bindNow();
    Traffic.run(text -> Traffic.post(server.port(), text));
  }

  private static String answer(ByteBuf body) {
    if (Traffic.isRefused(body.getByte(0))) {
      return refuse(body);
    }
    String text = body.toString(StandardCharsets.UTF_8);
    body.release();
    return text;
  }

  private static String refuse(ByteBuf body) {
    return "refused " + body.readableBytes();
  }
}
