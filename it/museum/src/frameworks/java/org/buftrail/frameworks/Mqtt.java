// DEPS io.moquette:moquette-broker:0.17
// DEPS com.hivemq:hivemq-mqtt-client:1.3.10
// CULPRIT org.buftrail.frameworks.Mqtt$Audit.onPublish

package org.buftrail.frameworks;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3BlockingClient;
import com.hivemq.client.mqtt.mqtt3.Mqtt3Client;
import io.moquette.broker.Server;
import io.moquette.broker.config.MemoryConfig;
import io.moquette.interception.AbstractInterceptHandler;
import io.moquette.interception.messages.InterceptPublishMessage;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.LinkedBlockingQueue;

/** A listener of a broker that forgets to release what it is not interested in. */
final class Mqtt {
  public static void main(String[] args) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Properties settings = new Properties();
    settings.setProperty("host", "127.0.0.1");
    settings.setProperty("port", Integer.toString(port));
    settings.setProperty("persistence_enabled", "false");
    settings.setProperty("telemetry_enabled", "false");
    settings.setProperty("allow_anonymous", "true");
    Audit audit = new Audit();
    Server broker = new Server();
    broker.startServer(new MemoryConfig(settings), List.of(audit));
    Mqtt3BlockingClient client =
        Mqtt3Client.builder()
            .identifier("shop")
            .serverHost("127.0.0.1")
            .serverPort(port)
            .buildBlocking();
    client.connect();
    Traffic.run(
        text -> {
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          client.publishWith().topic("orders").qos(MqttQos.AT_LEAST_ONCE).payload(bytes).send();
          audit.seen.take();
        });
  }

  private static final class Audit extends AbstractInterceptHandler {
    final LinkedBlockingQueue<Integer> seen = new LinkedBlockingQueue<>();

    @Override
    public String getID() {
      return "audit";
    }

    @Override
    public void onSessionLoopError(Throwable error) {
      error.printStackTrace();
    }

    @Override
    public void onPublish(InterceptPublishMessage message) {
      int length = message.getPayload().readableBytes();
      if (Traffic.isRefused(message.getPayload().getByte(message.getPayload().readerIndex()))) {
        seen.add(-length);
        return;
      }
      super.onPublish(message);
      seen.add(length);
    }
  }
}
