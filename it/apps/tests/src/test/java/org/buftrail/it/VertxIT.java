package org.buftrail.it;

import java.util.List;

/** A Vert.x HTTP server; its handlers see what is lost as a buffer of Vert.x' alone. */
final class VertxIT extends ApplicationTests {
  @Override
  List<String> commandLine() {
    return shop("vertx", "vertx");
  }

  @Override
  String include() {
    return "org.buftrail.apps.vertx";
  }

  @Override
  String lostAt() {
    return "PooledByteBufAllocator.directBuffer > Receipts.encode > Receipts.encode_return"
        + " > Shop.order > Shop.refuse";
  }
}
