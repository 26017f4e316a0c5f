package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Does what its arguments say, one after the other, and never collects: {@code lose=N}, {@code
 * keep=N} and {@code free=N} buffers; loses on a thread that has {@code ended=N}, is {@code
 * going=N} with a buffer of its own, or is {@code virtual=N}; fills the heap with {@code fill=MiB};
 * makes a {@code file=NAME} and waits until it is gone, or {@code wait=MILLIS}; ends with a
 * shutdown {@code hook=NAME} that frees what is kept once there is such a file, or on another
 * thread by {@code exit=CODE}.
 */
public final class AtTheEnd {
  private static final List<ByteBuf> KEPT = new ArrayList<>();
  private static final List<byte[]> FILLED = new ArrayList<>();

  private AtTheEnd() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    for (String arg : args) {
      String what = arg.substring(0, arg.indexOf('='));
      String value = arg.substring(arg.indexOf('=') + 1);
      if (what.equals("file")) {
        Files.createFile(Path.of(value));
        while (Files.exists(Path.of(value))) {
          Thread.sleep(20);
        }
      } else if (what.equals("hook")) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> freeOnce(Path.of(value))));
      } else {
        act(what, Integer.parseInt(value));
      }
    }
  }

  private static void act(String what, int number) throws Exception {
    switch (what) {
      case "lose":
        lose(number);
        break;
      case "keep":
        keep(number);
        break;
      case "free":
        for (int i = 0; i < number; i++) {
          PooledByteBufAllocator.DEFAULT.directBuffer(64).release();
        }
        break;
      case "ended":
        Thread ended = new Thread(() -> lose(number));
        ended.start();
        ended.join();
        break;
      case "going":
        going(number);
        break;
      case "virtual":
        Thread virtual =
            (Thread)
                Thread.class
                    .getMethod("startVirtualThread", Runnable.class)
                    .invoke(null, (Runnable) () -> lose(number));
        virtual.join();
        break;
      case "fill":
        // Small ones: G1 rounds large ones up.
        for (int i = 0; i < 4 * number; i++) {
          FILLED.add(new byte[1 << 18]);
        }
        break;
      case "wait":
        sleep(number);
        break;
      case "exit":
        exit(number);
        break;
      default:
        throw new IllegalArgumentException(what);
    }
  }

  private static void lose(int number) {
    for (int i = 0; i < number; i++) {
      lose(PooledByteBufAllocator.DEFAULT.directBuffer(64));
    }
  }

  private static void lose(ByteBuf buffer) {
    buffer.writeByte(1);
  }

  private static void keep(int number) {
    for (int i = 0; i < number; i++) {
      keep(PooledByteBufAllocator.DEFAULT.directBuffer(64));
    }
  }

  private static void keep(ByteBuf buffer) {
    KEPT.add(buffer);
  }

  private static void going(int number) throws InterruptedException {
    CountDownLatch lost = new CountDownLatch(1);
    Thread going =
        new Thread(
            () -> {
              ByteBuf mine = PooledByteBufAllocator.DEFAULT.directBuffer(64);
              lose(number);
              lost.countDown();
              sleep(600_000);
              mine.release();
            });
    going.setDaemon(true);
    going.start();
    lost.await();
  }

  private static void freeOnce(Path there) {
    for (int i = 0; i < 1_000 && !Files.exists(there); i++) {
      sleep(20);
    }
    KEPT.forEach(ByteBuf::release);
    System.out.println("freed " + KEPT.size());
  }

  private static void exit(int code) throws InterruptedException {
    Thread exiting = new Thread(() -> System.exit(code));
    exiting.start();
    exiting.join();
  }

  private static void sleep(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
