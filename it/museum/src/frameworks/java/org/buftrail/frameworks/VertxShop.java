// DEPS io.vertx:vertx-core:5.2.3
// CULPRIT org.buftrail.frameworks.VertxShop.refuse

package org.buftrail.frameworks;

import io.netty.buffer.ByteBuf;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.buffer.BufferInternal;

/** Wraps a receipt for each order in a buffer of Vert.x, and keeps those of what it refuses. */
final class VertxShop {
  public static void main(String[] args) throws Exception {
    HttpServer server =
        Vertx.vertx()
            .createHttpServer()
            .requestHandler(request -> request.body().onSuccess(body -> order(request, body)))
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get();
    Traffic.run(text -> Traffic.post(server.actualPort(), text));
  }

  private static void order(HttpServerRequest request, Buffer body) {
    ByteBuf bytes = Traffic.receipt(body.toString());
    Buffer receipt = BufferInternal.buffer(bytes);
    if (Traffic.isRefused(receipt.getByte(0))) {
      refuse(request, receipt);
      return;
    }
    request.response().end(Buffer.buffer(receipt.getBytes()));
    bytes.release();
  }

  private static void refuse(HttpServerRequest request, Buffer receipt) {
    request.response().end("refused " + receipt.length());
  }
}
