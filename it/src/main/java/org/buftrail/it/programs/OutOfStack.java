package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs out of stack again and again, at whatever depth, while it does one thing with buffers; then
 * uses 100 more as anybody would. Prints what it saw that it would not see alone.
 */
public final class OutOfStack {
  private static final int THREADS = 40;
  private static final List<ByteBuf> MADE = new ArrayList<>();
  private static final AtomicReference<Throwable> STRANGE = new AtomicReference<>();

  /** Of one thread: an overflow in Netty's own locks may leave an arena locked for good. */
  private static ByteBufAllocator pooled = PooledByteBufAllocator.DEFAULT;

  private OutOfStack() {}

  /** The work at each depth. */
  private interface Deed {
    void run() throws IOException;
  }

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    boolean isWarm = !args[0].equals("cold");
    Deed deed = deed(args[0]);
    for (int i = 0; i < THREADS; i++) {
      pooled = new PooledByteBufAllocator(false);
      int depth = isWarm && i == 0 ? 20 : Integer.MAX_VALUE;
      Thread thread = new Thread(null, () -> fall(deed, depth), "fall-" + i, 192 * 1024 + i * 56L);
      thread.start();
      thread.join();
    }
    long released = MADE.stream().filter(buffer -> buffer.refCnt() == 0).count();
    long lost = MADE.size() - released;
    MADE.clear();
    for (int i = 0; i < 100; i++) {
      after(UnpooledByteBufAllocator.DEFAULT.heapBuffer(8));
    }
    Throwable strange = STRANGE.get();
    if (strange != null) {
      strange.printStackTrace();
    }
    System.out.print((strange == null ? "done " : "strange ") + released + " " + lost);
  }

  private static Deed deed(String name) {
    ByteBuf one = UnpooledByteBufAllocator.DEFAULT.heapBuffer(8);
    switch (name) {
      case "unpooled":
        return () -> use(UnpooledByteBufAllocator.DEFAULT);
      case "pooled":
        return () -> use(pooled);
      case "retain":
        return () -> pass(one.retain()).release();
      case "composite":
        return OutOfStack::compose;
      case "misuse":
        ByteBuf over = Unpooled.buffer(8);
        over.release();
        return () -> misuse(over);
      case "file":
        return () -> new FileInputStream(Path.of("data").toFile()).close();
      default:
        return () -> pass(one);
    }
  }

  private static void fall(Deed deed, int depth) {
    try {
      down(deed, depth);
    } catch (StackOverflowError e) {
      return;
    } catch (Throwable e) {
      STRANGE.compareAndSet(null, e);
    }
  }

  private static void down(Deed deed, int left) throws IOException {
    deed.run();
    if (left > 0) {
      down(deed, left - 1);
    }
  }

  private static void use(ByteBufAllocator allocator) {
    ByteBuf buffer = allocator.heapBuffer(8);
    MADE.add(buffer);
    pass(buffer);
    buffer.release();
  }

  private static void compose() {
    ByteBuf part = UnpooledByteBufAllocator.DEFAULT.heapBuffer(8);
    MADE.add(part);
    CompositeByteBuf whole = UnpooledByteBufAllocator.DEFAULT.compositeBuffer();
    MADE.add(whole);
    whole.addComponent(true, part);
    pass(whole);
    whole.release();
  }

  private static void misuse(ByteBuf over) {
    try {
      over.release();
    } catch (IllegalReferenceCountException e) {
      pass(over);
    }
  }

  private static ByteBuf pass(ByteBuf buffer) {
    return buffer;
  }

  private static void after(ByteBuf buffer) {
    buffer.release();
  }
}
