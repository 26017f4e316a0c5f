// ISSUE apache/dubbo#14071
// DEPS io.netty:netty-buffer:4.1.132.Final
// CULPRIT org.buftrail.museum.NoDeframer$ServerStream.doOnData

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.function.Consumer;

/** Data of a call whose headers were refused: there is nobody to give it to. */
final class NoDeframer {
  public static void main(String[] args) throws Exception {
    Visits.run(NoDeframer::call);
  }

  private static void call(boolean refused) {
    ServerStream stream = new ServerStream();
    if (!refused) {
      stream.deframer = ByteBuf::release;
    }
    stream.onData(PooledByteBufAllocator.DEFAULT.directBuffer().writeLong(1), true);
  }

  private static final class ServerStream {
    private Consumer<ByteBuf> deframer;
    private boolean closed;

    void onData(ByteBuf data, boolean endStream) {
      doOnData(data, endStream);
    }

    private void doOnData(ByteBuf data, boolean endStream) {
      if (deframer == null) {
        return;
      }
      deframer.accept(data);
      closed = endStream;
    }
  }
}
