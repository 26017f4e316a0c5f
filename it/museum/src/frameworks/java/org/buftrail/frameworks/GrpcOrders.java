// DEPS io.grpc:grpc-netty:1.85.1
// DEPS io.grpc:grpc-stub:1.85.1
// CULPRIT org.buftrail.frameworks.GrpcOrders$Text.refuse

package org.buftrail.frameworks;

import io.grpc.CallOptions;
import io.grpc.Detachable;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Takes messages out of their streams, and keeps those that it refuses. */
final class GrpcOrders {
  public static void main(String[] args) throws Exception {
    MethodDescriptor<String, String> order =
        MethodDescriptor.newBuilder(new Text(), new Text())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("orders.Orders/order")
            .build();
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder("orders.Orders")
                    .addMethod(order, ServerCalls.asyncUnaryCall(GrpcOrders::answer))
                    .build())
            .build()
            .start();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
    Traffic.run(text -> ClientCalls.blockingUnaryCall(channel, order, CallOptions.DEFAULT, text));
  }

  private static void answer(String text, StreamObserver<String> observer) {
    observer.onNext("thanks for " + text.length());
    observer.onCompleted();
  }

  /** Reads a message from the buffers that it came in. */
  private static final class Text implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String text) {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        InputStream message = ((Detachable) stream).detach();
        int first = message.read();
        if (Traffic.isRefused((byte) first)) {
          return refuse(message);
        }
        String rest = new String(message.readAllBytes(), StandardCharsets.UTF_8);
        message.close();
        return (char) first + rest;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String refuse(InputStream message) throws IOException {
      return "refused " + message.available();
    }
  }
}
