package org.buftrail.apps.grpc;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.util.HashMap;
import java.util.Map;
import org.buftrail.apps.driver.HttpCalls;
import org.buftrail.apps.driver.OpenRate;

/** Calls a {@link Shop} in another process at a fixed rate, over one channel. */
public final class Rate {
  private static final String LONG = HttpCalls.text(4096);

  private Rate() {}

  /** Does what {@link OpenRate#serve} says. */
  public static void main(String[] args) throws Exception {
    Map<Integer, ManagedChannel> channels = new HashMap<>();
    OpenRate.serve(
        port -> {
          ManagedChannel channel = channels.computeIfAbsent(port, Rate::channel);
          return i -> Shop.order(channel, i % 2 == 0 ? "pear," + i : LONG);
        });
    channels.values().forEach(ManagedChannel::shutdownNow);
  }

  private static ManagedChannel channel(int port) {
    return Grpc.newChannelBuilderForAddress("127.0.0.1", port, InsecureChannelCredentials.create())
        .build();
  }
}
