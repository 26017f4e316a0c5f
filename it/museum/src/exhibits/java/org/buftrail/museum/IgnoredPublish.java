// ISSUE apache/iotdb#12046
// DEPS io.moquette:moquette-broker:0.17
// CULPRIT org.buftrail.museum.IgnoredPublish$Listener.onPublish

package org.buftrail.museum;

import io.moquette.interception.AbstractInterceptHandler;
import io.moquette.interception.messages.InterceptPublishMessage;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;
import io.netty.handler.codec.mqtt.MqttQoS;

/** An interceptor must release each publication; this one passes some topics over. */
final class IgnoredPublish {
  private static final Listener LISTENER = new Listener();

  public static void main(String[] args) throws Exception {
    Visits.run(IgnoredPublish::publish);
  }

  private static void publish(boolean ofOthers) {
    MqttFixedHeader head =
        new MqttFixedHeader(MqttMessageType.PUBLISH, false, MqttQoS.AT_MOST_ONCE, false, 0);
    MqttPublishVariableHeader topic =
        new MqttPublishVariableHeader(ofOthers ? "others/a" : "ours/a", 0);
    MqttPublishMessage message =
        new MqttPublishMessage(
            head, topic, PooledByteBufAllocator.DEFAULT.directBuffer().writeLong(1));
    LISTENER.onPublish(new InterceptPublishMessage(message, "client", "user"));
  }

  private static final class Listener extends AbstractInterceptHandler {
    private long sum;

    @Override
    public String getID() {
      return "listener";
    }

    @Override
    public void onSessionLoopError(Throwable error) {
      throw new IllegalStateException(error);
    }

    @Override
    public void onPublish(InterceptPublishMessage message) {
      if (!message.getTopicName().startsWith("ours/")) {
        return;
      }
      sum += message.getPayload().getLong(0);
      super.onPublish(message);
    }
  }
}
