package org.buftrail.apps.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.buftrail.apps.driver.Application;
import org.buftrail.apps.driver.Driver;
import org.buftrail.apps.driver.HttpCalls;

/** The application, server and client. It names no Netty, so either of gRPC's will do. */
public final class Shop {
  private static final MethodDescriptor<String, String> ORDER =
      method("order", MethodDescriptor.MethodType.UNARY);
  private static final MethodDescriptor<String, String> CATALOGUE =
      method("catalogue", MethodDescriptor.MethodType.SERVER_STREAMING);

  private Shop() {}

  /** Serves on a port of its own choice until standard input ends. */
  public static void main(String[] args) throws Exception {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(
                ServerServiceDefinition.builder("shop")
                    .addMethod(ORDER, ServerCalls.asyncUnaryCall(Shop::order))
                    .addMethod(CATALOGUE, ServerCalls.asyncServerStreamingCall(Shop::catalogue))
                    .build())
            .build()
            .start();
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(
                "127.0.0.1", server.getPort(), InsecureChannelCredentials.create())
            .build();
    Driver.drive(new Customers(channel, server.getPort()));
    channel.shutdown().awaitTermination(60, TimeUnit.SECONDS);
    server.shutdown().awaitTermination(60, TimeUnit.SECONDS);
  }

  private static MethodDescriptor<String, String> method(
      String name, MethodDescriptor.MethodType type) {
    return MethodDescriptor.newBuilder(new Orders(), new Answers())
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName("shop", name))
        .build();
  }

  /** Sends an order and waits for the answer. */
  static String order(Channel channel, String order) {
    return ClientCalls.blockingUnaryCall(channel, ORDER, CallOptions.DEFAULT, order);
  }

  private static void order(String order, StreamObserver<String> observer) {
    observer.onNext(order.isEmpty() ? "not an order" : order.length() + " letters");
    observer.onCompleted();
  }

  private static void catalogue(String lines, StreamObserver<String> observer) {
    for (int line = 0; line < Integer.parseInt(lines); line++) {
      observer.onNext("line " + line + " " + HttpCalls.text(line * 10));
    }
    observer.onCompleted();
  }

  /** Every sort of call that the shop takes. */
  private record Customers(ManagedChannel channel, int port) implements Application {
    @Override
    public String call(int i) {
      return switch (i % 3) {
        case 0 -> order("pear," + i);
        case 1 -> order(HttpCalls.text(20_000) + "," + i);
        default -> catalogue(100 + i);
      };
    }

    private String order(String order) {
      return Shop.order(channel, order);
    }

    private String catalogue(int lines) {
      CRC32 sum = new CRC32();
      int count = 0;
      Iterator<String> answer =
          ClientCalls.blockingServerStreamingCall(
              channel, CATALOGUE, CallOptions.DEFAULT, Integer.toString(lines));
      for (; answer.hasNext(); count++) {
        sum.update(answer.next().getBytes(StandardCharsets.UTF_8));
      }
      return count + " lines with the sum " + sum.getValue();
    }

    @Override
    public void lose(int i) {
      String answer = order("none, but a long one");
      if (!answer.equals("not an order")) {
        throw new IllegalStateException(answer);
      }
    }
  }
}
