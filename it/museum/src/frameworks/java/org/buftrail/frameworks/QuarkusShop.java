// QUARKUS 3.33.2
// DEPS io.quarkus:quarkus-vertx-http:3.33.2
// CULPRIT org.buftrail.frameworks.QuarkusShop.refuse

package org.buftrail.frameworks;

import io.netty.buffer.ByteBuf;
import io.quarkus.runtime.StartupEvent;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.charset.StandardCharsets;

/** Encodes a receipt for each order, and keeps those of what it refuses. */
@ApplicationScoped
public class QuarkusShop {
  void routes(@Observes Router router) {
    router.get("/orders").handler(QuarkusShop::serve);
  }

  void started(@Observes StartupEvent event) {
    Traffic.begin(Traffic::get);
  }

  private static void serve(RoutingContext context) {
    context.end(answer(context.request().query()));
  }

  private static String answer(String order) {
    ByteBuf receipt = Traffic.receipt(order);
    if (Traffic.isRefused(receipt.getByte(0))) {
      return refuse(receipt);
    }
    String text = receipt.toString(StandardCharsets.UTF_8);
    receipt.release();
    return text;
  }

  private static String refuse(ByteBuf receipt) {
    return "refused " + receipt.readableBytes();
  }
}
