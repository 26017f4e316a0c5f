package org.buftrail.it;

import java.util.List;

/** An Armeria HTTP server. */
final class ArmeriaIT extends ApplicationTests {
  @Override
  List<String> commandLine() {
    return shop("armeria", "armeria");
  }

  @Override
  String include() {
    return "org.buftrail.apps.armeria";
  }

  @Override
  String lostAt() {
    return "AdaptiveByteBufAllocator.directBuffer( > ByteBuf.retain)+ > Shop.take";
  }
}
