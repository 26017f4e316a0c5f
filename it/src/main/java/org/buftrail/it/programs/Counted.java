package org.buftrail.it.programs;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bson.ByteBuf;
import org.bson.ByteBufNIO;

/** Uses the buffers of MongoDB's driver, which count their holders: 3 end, 2 leak, 1 is held. */
public final class Counted {
  private static final List<Object> HELD = new ArrayList<>();

  private Counted() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      ByteBuf buffer = take();
      share(buffer);
      buffer.release();
    }
    HELD.add(take());
    Garbage leaked = new Garbage();
    for (int i = 0; i < 2; i++) {
      ByteBuf lost = take();
      share(lost);
      leaked.add(lost);
    }
    leaked.awaitCollection();
    try {
      ByteBuf buffer = take();
      buffer.release();
      buffer.release();
    } catch (IllegalStateException e) {
      // As the driver has it.
      return;
    }
  }

  private static ByteBuf take() {
    return new ByteBufNIO(ByteBuffer.allocate(16));
  }

  private static void share(ByteBuf buffer) {
    use(buffer.retain());
    buffer.release();
  }

  private static void use(ByteBuf buffer) {
    buffer.put((byte) 1);
  }
}
