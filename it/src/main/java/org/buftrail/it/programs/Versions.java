package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Uses buffers of each kind in known numbers, and writes a ledger of its own. It names nothing that
 * came after Netty 4.1.0.
 *
 * <p>It waits on a thread of Netty's, which a detector of blocking calls would forbid: then with
 * {@code -Dversions.mayBlock=true} on another.
 *
 * <p>A line of the ledger has the name of a case, which is that of the method that gets each
 * buffer, and how many were released, leaked, held, dropped and live.
 */
public final class Versions {
  private static final ByteBufAllocator POOLED = PooledByteBufAllocator.DEFAULT;
  private static final ByteBufAllocator UNPOOLED = UnpooledByteBufAllocator.DEFAULT;
  private static final String ADAPTIVE = "io.netty.buffer.AdaptiveByteBufAllocator";

  private static final int RELEASED = 0;
  private static final int LEAKED = 1;
  private static final int HELD = 2;
  private static final int DROPPED = 3;
  private static final int LIVE = 4;

  private static final Map<String, int[]> LEDGER = new TreeMap<>();
  private static final ByteBuf[] STILL = new ByteBuf[5];
  private static final Garbage GARBAGE = new Garbage();

  private Versions() {}

  /**
   * Runs the program.
   *
   * @param args the ledger's file; then, to wait for an attach once Netty is loaded, a file that
   *     the program creates and one that it waits for; then anything, if the agent is there already
   */
  public static void main(String[] args) throws Exception {
    if (args.length > 1) {
      run();
      GARBAGE.awaitCollection();
      end();
      if (args.length == 3) {
        LEDGER.clear();
      }
      Files.createFile(Path.of(args[1]));
      while (!Files.exists(Path.of(args[2]))) {
        Thread.sleep(20);
      }
    }
    Thread thread =
        Boolean.getBoolean("versions.mayBlock")
            ? new Thread(Versions::run)
            : new FastThreadLocalThread(Versions::run);
    thread.start();
    thread.join();
    GARBAGE.awaitCollection();
    write(Path.of(args[0]));
  }

  private static void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    LEDGER.forEach(
        (name, counts) -> {
          text.append(name);
          for (int count : counts) {
            text.append(' ').append(count);
          }
          text.append('\n');
        });
    Files.writeString(file, text);
  }

  private static void run() {
    for (int i = 0; i < 211; i++) {
      pooledDirect(POOLED.directBuffer(64), i % 11 == 0);
      pooledHeap(POOLED.heapBuffer(64), i % 13 == 0);
    }
    for (int i = 0; i < 53; i++) {
      unpooledDirect(UNPOOLED.directBuffer(64), i % 7 == 0);
      unpooledHeap(UNPOOLED.heapBuffer(64), i % 5 == 0);
      wrapped(Unpooled.wrappedBuffer(new byte[8]), i % 3 == 0);
    }
    adaptive();
    for (int i = 0; i < 29; i++) {
      grown(POOLED.directBuffer(16), i % 17 == 0);
      released(POOLED.directBuffer(32), i % 19 == 0);
      retained(POOLED.directBuffer(32), i % 23 == 0);
      composite(POOLED.compositeDirectBuffer(), i % 10 == 0);
      nested(POOLED.compositeDirectBuffer(), i % 15 == 0);
      removed(POOLED.directBuffer(32), i % 8 == 0);
      sliced(POOLED.directBuffer(256), i % 9 == 0);
    }
    for (int i = 0; i < STILL.length; i++) {
      STILL[i] = POOLED.directBuffer(8);
      live(STILL[i]);
    }
  }

  private static void end() {
    for (ByteBuf buffer : STILL) {
      buffer.release();
      count("live", LIVE, -1);
      count("live", RELEASED, 1);
    }
  }

  private static void count(String name, int what, int times) {
    LEDGER.computeIfAbsent(name, any -> new int[LIVE + 1])[what] += times;
  }

  private static void end(String name, Object buffer, boolean lost, int whatIfLost) {
    count(name, lost ? whatIfLost : RELEASED, 1);
    if (lost) {
      GARBAGE.add(buffer);
    } else {
      ((ByteBuf) buffer).release();
    }
  }

  private static void pooledDirect(ByteBuf buffer, boolean lost) {
    end("pooledDirect", buffer, lost, LEAKED);
  }

  private static void pooledHeap(ByteBuf buffer, boolean lost) {
    end("pooledHeap", buffer, lost, LEAKED);
  }

  private static void unpooledDirect(ByteBuf buffer, boolean lost) {
    end("unpooledDirect", buffer, lost, LEAKED);
  }

  private static void unpooledHeap(ByteBuf buffer, boolean lost) {
    end("unpooledHeap", buffer, lost, DROPPED);
  }

  private static void wrapped(ByteBuf buffer, boolean lost) {
    end("wrapped", buffer, lost, DROPPED);
  }

  /** Where this Netty has it. */
  private static void adaptive() {
    ByteBufAllocator allocator;
    try {
      allocator =
          Class.forName(ADAPTIVE)
              .asSubclass(ByteBufAllocator.class)
              .getDeclaredConstructor()
              .newInstance();
    } catch (ClassNotFoundException e) {
      return;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    for (int i = 0; i < 73; i++) {
      adaptiveDirect(allocator.directBuffer(64), i % 12 == 0);
      adaptiveHeap(allocator.heapBuffer(64), i % 14 == 0);
    }
  }

  private static void adaptiveDirect(ByteBuf buffer, boolean lost) {
    end("adaptiveDirect", buffer, lost, LEAKED);
  }

  private static void adaptiveHeap(ByteBuf buffer, boolean lost) {
    end("adaptiveHeap", buffer, lost, LEAKED);
  }

  /** Grows here and on another thread. */
  private static void grown(ByteBuf buffer, boolean lost) {
    buffer.writeZero(100);
    onAnotherThread(() -> buffer.capacity(70_000));
    end("grown", buffer, lost, LEAKED);
  }

  /** On another thread, and once more than there are references. */
  private static void released(ByteBuf buffer, boolean twice) {
    onAnotherThread(buffer::release);
    count("released", RELEASED, 1);
    if (twice) {
      try {
        buffer.release();
        throw new IllegalStateException("released twice");
      } catch (IllegalReferenceCountException expected) {
        count("misused", RELEASED, 1);
      }
    }
  }

  private static void retained(ByteBuf buffer, boolean lost) {
    buffer.retain(2).release(2);
    buffer.retain().release();
    end("retained", buffer, lost, LEAKED);
  }

  /** Two components, of which a view is one. What is lost is seen as one, by which all are held. */
  private static void composite(CompositeByteBuf composite, boolean lost) {
    composite.addComponent(true, POOLED.directBuffer(100).writeLong(1));
    composite.addComponent(true, POOLED.directBuffer(50).writeLong(1).slice());
    pass(composite);
    end("composite", composite, lost, LEAKED);
    count("composite", lost ? HELD : RELEASED, 2);
  }

  /** A composite in a composite. */
  private static void nested(CompositeByteBuf composite, boolean lost) {
    CompositeByteBuf other = POOLED.compositeDirectBuffer();
    other.addComponent(true, POOLED.directBuffer(64).writeLong(1));
    other.addComponent(true, POOLED.directBuffer(64).writeLong(1));
    composite.addComponent(true, other);
    end("nested", composite, lost, LEAKED);
    count("nested", lost ? HELD : RELEASED, 1);
    count("nested", lost ? HELD : RELEASED, 2);
  }

  /** A component leaves its composite and goes on by itself. */
  private static void removed(ByteBuf component, boolean lost) {
    CompositeByteBuf composite = POOLED.compositeDirectBuffer();
    composite.addComponent(true, component.writeLong(1));
    component.retain();
    composite.removeComponent(0);
    composite.release();
    count("removed", RELEASED, 1);
    end("removed", component, lost, LEAKED);
  }

  /** A pooled slice has a count of its own, and a view of it shares that. */
  private static void sliced(ByteBuf parent, boolean lost) {
    ByteBuf slice = parent.writeLong(1).retainedSlice(0, 4);
    parent.release();
    ByteBuf view = slice.slice(0, 2);
    pass(view);
    if (lost) {
      GARBAGE.add(parent);
    }
    end("sliced", slice, lost, LEAKED);
    count("sliced", lost ? HELD : RELEASED, 1);
  }

  private static void live(ByteBuf buffer) {
    pass(buffer);
    count("live", LIVE, 1);
  }

  private static void pass(ByteBuf buffer) {
    buffer.markReaderIndex();
  }

  private static void onAnotherThread(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
