// ISSUE line/armeria#3201
// DEPS io.netty:netty-buffer:4.1.132.Final
// CULPRIT org.buftrail.museum.ClosedInput$Input.add

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Queue;

/** A buffer is added to the input of a deframer that is closed already. */
final class ClosedInput {
  public static void main(String[] args) throws Exception {
    Visits.run(ClosedInput::receive);
  }

  private static void receive(boolean late) {
    Input input = new Input();
    if (late) {
      input.close();
    }
    if (input.add(PooledByteBufAllocator.DEFAULT.directBuffer().writeLong(1))) {
      input.close();
    }
  }

  private static final class Input implements AutoCloseable {
    private final Queue<ByteBuf> queue = new ArrayDeque<>();
    private boolean closed;

    boolean add(ByteBuf data) {
      if (closed || !data.isReadable()) {
        return false;
      }
      queue.add(data);
      return true;
    }

    @Override
    public void close() {
      closed = true;
      queue.forEach(ByteBuf::release);
      queue.clear();
    }
  }
}
