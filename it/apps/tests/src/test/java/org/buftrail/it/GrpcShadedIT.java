package org.buftrail.it;

import java.util.List;

/** A gRPC server and client on the Netty that gRPC brings under another name. */
final class GrpcShadedIT extends ApplicationTests {
  @Override
  List<String> commandLine() {
    return shop("grpc-shaded", "grpc");
  }

  @Override
  String include() {
    return "org.buftrail.apps.grpc";
  }

  @Override
  String lostAt() {
    return "PooledByteBufAllocator.directBuffer( > ByteBuf.retain)+ > Orders.parse";
  }
}
