// ISSUE apache/pulsar#24228
// DEPS io.netty:netty-buffer:4.1.132.Final
// CULPRIT org.buftrail.museum.PublishedTopic.post

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.Executor;

/** The topic retains what is published for itself; one caller forgets its own reference. */
final class PublishedTopic {
  private static final Executor LEDGER = Runnable::run;

  public static void main(String[] args) throws Exception {
    Visits.run(PublishedTopic::publish);
  }

  private static void publish(boolean overRest) {
    if (overRest) {
      post(new byte[8]);
    } else {
      produce(new byte[8]);
    }
  }

  private static void produce(byte[] message) {
    ByteBuf headersAndPayload = serialize(message);
    try {
      append(headersAndPayload);
    } finally {
      headersAndPayload.release();
    }
  }

  private static void post(byte[] message) {
    ByteBuf headersAndPayload = serialize(message);
    append(headersAndPayload);
  }

  private static ByteBuf serialize(byte[] message) {
    return PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(message);
  }

  private static void append(ByteBuf headersAndPayload) {
    headersAndPayload.retain();
    LEDGER.execute(() -> write(headersAndPayload));
  }

  private static void write(ByteBuf entry) {
    entry.getByte(0);
    entry.release();
  }
}
