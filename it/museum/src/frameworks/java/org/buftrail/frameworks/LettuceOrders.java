// DEPS io.lettuce:lettuce-core:7.7.0.RELEASE
// CULPRIT org.buftrail.frameworks.LettuceOrders.refuse

package org.buftrail.frameworks;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.codec.ToByteBufEncoder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.netty.buffer.ByteBuf;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Encodes values by way of buffers of its own, and keeps those that it refuses. */
final class LettuceOrders extends StringCodec implements ToByteBufEncoder<String, String> {
  public static void main(String[] args) throws Exception {
    ServerSocket redis = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread server = new Thread(() -> serve(redis));
    server.setDaemon(true);
    server.start();
    RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", redis.getLocalPort()));
    client.setOptions(ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build());
    RedisCommands<String, String> orders = client.connect(new LettuceOrders()).sync();
    Traffic.run(text -> orders.set("order", text));
  }

  /** Says OK to each command, as Redis would. */
  private static void serve(ServerSocket redis) {
    try (Socket socket = redis.accept()) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      OutputStream out = socket.getOutputStream();
      for (String head = in.readLine(); head != null; head = in.readLine()) {
        for (int i = 2 * Integer.parseInt(head.substring(1)); i > 0; i--) {
          in.readLine();
        }
        out.write("+OK\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
      }
    } catch (IOException e) {
      e.printStackTrace();
    }
  }

  @Override
  public void encodeValue(String value, ByteBuf target) {
    ByteBuf encoded = Traffic.receipt(value);
    if (Traffic.isRefused(encoded.getByte(0))) {
      refuse(encoded, target);
      return;
    }
    target.writeBytes(encoded);
    encoded.release();
  }

  private static void refuse(ByteBuf encoded, ByteBuf target) {
    target.writeBytes(encoded, encoded.readerIndex(), 2);
  }
}
