package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Still holds two buffers when it ends. */
public final class LiveAtExit {
  private LiveAtExit() {}

  private static final List<ByteBuf> HELD = new ArrayList<>();

  /** Runs the program. */
  public static void main(String[] args) {
    for (int i = 0; i < 2; i++) {
      hold(UnpooledByteBufAllocator.DEFAULT.directBuffer(100));
    }
    System.gc();
  }

  private static void hold(ByteBuf buffer) {
    HELD.add(buffer);
  }
}
