// ISSUE apache/pulsar#18927
// DEPS io.netty:netty-buffer:4.1.132.Final
// CULPRIT org.buftrail.museum.CompactedMessage.index

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.HashMap;
import java.util.Map;

/** A compactor reads raw messages, and closes all but those that it has to skip. */
final class CompactedMessage {
  private static final Map<Integer, Integer> LATEST = new HashMap<>();

  public static void main(String[] args) throws Exception {
    Visits.run(CompactedMessage::receive);
  }

  private static void receive(boolean withoutKey) {
    ByteBuf entry = PooledByteBufAllocator.DEFAULT.directBuffer();
    entry.writeInt(withoutKey ? -1 : 7).writeInt(42);
    RawMessage message = new RawMessage(entry);
    entry.release();
    index(message);
  }

  private static void index(RawMessage message) {
    if (message.key() < 0) {
      return;
    }
    LATEST.put(message.key(), 42);
    message.close();
  }

  private static final class RawMessage implements AutoCloseable {
    private final ByteBuf headersAndPayload;

    RawMessage(ByteBuf headersAndPayload) {
      this.headersAndPayload = headersAndPayload.retainedSlice();
    }

    int key() {
      return headersAndPayload.getInt(0);
    }

    @Override
    public void close() {
      headersAndPayload.release();
    }
  }
}
