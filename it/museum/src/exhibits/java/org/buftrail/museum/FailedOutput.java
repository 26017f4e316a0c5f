// ISSUE apache/dubbo#15917
// DEPS io.netty:netty-buffer:4.1.132.Final
// CULPRIT org.buftrail.museum.FailedOutput.send

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.io.OutputStream;

/** A message is encoded to a stream over a buffer, and encoding fails. */
final class FailedOutput {
  public static void main(String[] args) throws Exception {
    Visits.run(FailedOutput::call);
  }

  private static void call(boolean fails) {
    try {
      send(fails ? null : "hello");
    } catch (IOException expected) {
      // The caller gets the failure.
    }
  }

  private static void send(String body) throws IOException {
    OutputMessage message =
        new OutputMessage(new ByteBufOutputStream(PooledByteBufAllocator.DEFAULT.directBuffer()));
    encode(body, message.stream());
    write(message);
  }

  private static void encode(String body, OutputStream out) throws IOException {
    if (body == null) {
      throw new IOException("nothing to encode");
    }
    out.write(body.length());
  }

  private static void write(OutputMessage message) {
    ByteBuf sent = message.stream.buffer();
    sent.release();
  }

  private static final class OutputMessage {
    private final ByteBufOutputStream stream;

    OutputMessage(ByteBufOutputStream stream) {
      this.stream = stream;
    }

    OutputStream stream() {
      return stream;
    }
  }
}
