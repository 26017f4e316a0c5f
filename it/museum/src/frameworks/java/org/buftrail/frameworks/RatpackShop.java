// DEPS io.ratpack:ratpack-core:1.9.0
// CULPRIT org.buftrail.frameworks.RatpackShop.refuse

package org.buftrail.frameworks;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import ratpack.server.RatpackServer;

/** Retains whole bodies, and keeps those that it refuses. */
final class RatpackShop {
  public static void main(String[] args) throws Exception {
    RatpackServer server =
        RatpackServer.start(
            spec ->
                spec.serverConfig(config -> config.port(0).development(false).threads(2))
                    .handlers(
                        chain ->
                            chain.all(
                                context ->
                                    context
                                        .getRequest()
                                        .getBody()
                                        .then(
                                            body ->
                                                context.render(
                                                    answer(body.getBuffer().retain()))))));
    Traffic.run(text -> Traffic.post(server.getBindPort(), text));
  }

  private static String answer(ByteBuf body) {
    if (Traffic.isRefused(body.getByte(body.readerIndex()))) {
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
