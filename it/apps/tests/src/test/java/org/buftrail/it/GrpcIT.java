package org.buftrail.it;

import java.util.List;

/** A gRPC server and client on Netty. */
final class GrpcIT extends ApplicationTests {
  @Override
  List<String> commandLine() {
    return shop("grpc", "grpc");
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
