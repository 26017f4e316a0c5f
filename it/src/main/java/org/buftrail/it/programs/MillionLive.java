package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds many live buffers of a pool, and goes on with some: allocates, keeps for a while, releases.
 * For each line {@code watch NAME} until {@code done} it prints {@code watched NAME FROM TO GAP
 * STOP STOPS COLLECTIONS GARBAGE}: times of {@link System#nanoTime}, the longest time between two
 * buffers by the clock and that in which the thread was kept from running, how many such were
 * longer than 0.1 ms, collections meanwhile, and bytes of the heap that others took if there was no
 * collection. With a NAME that begins with {@code frugal} it first has the JVM collect, and then
 * goes on slowly, with objects that Netty recycles, so that it gives no reason to collect.
 */
public final class MillionLive {
  private static final int SIZE = 64;

  /** Longer than a ring of the agent, so that buffers outlive it. */
  private static final int IN_FLIGHT = 20_000;

  /** As many as Netty recycles the objects of. */
  private static final int FEW_IN_FLIGHT = 1_000;

  private static final long SLOWLY_NANOS = 20_000;

  private static final com.sun.management.ThreadMXBean OWN =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final ByteBufAllocator allocator;
  private final List<ByteBuf> kept = new ArrayList<>();
  private final ByteBuf[] inFlight = new ByteBuf[IN_FLIGHT];
  private volatile String watched = "";
  private volatile boolean ends;

  private MillionLive(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Runs the program until its input ends.
   *
   * @param args {@code pooled} or {@code adaptive}, and how many buffers are live
   */
  public static void main(String[] args) throws Exception {
    ByteBufAllocator allocator =
        args[0].equals("pooled")
            ? new PooledByteBufAllocator(true)
            : Class.forName("io.netty.buffer.AdaptiveByteBufAllocator")
                .asSubclass(ByteBufAllocator.class)
                .getConstructor()
                .newInstance();
    MillionLive program = new MillionLive(allocator);
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      program.keep(allocator.directBuffer(SIZE));
    }
    // Such buffers are old; else a collection while somebody measures moves each of them.
    System.gc();
    Thread worker = new FastThreadLocalThread(program::work, "worker");
    worker.start();
    System.err.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      program.watched = line.startsWith("watch ") ? line.substring("watch ".length()) : "";
    }
    program.ends = true;
    worker.join();
  }

  private void keep(ByteBuf buffer) {
    kept.add(buffer);
  }

  private void work() {
    try (Stopwatch stopwatch = new Stopwatch()) {
      while (!ends) {
        String name = watched;
        if (name.isEmpty()) {
          Thread.sleep(1);
        } else {
          watch(name, stopwatch);
        }
      }
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private void watch(String name, Stopwatch stopwatch) throws Exception {
    boolean isFrugal = name.startsWith("frugal");
    if (isFrugal) {
      becomeFrugal();
    }
    System.err.println("watching " + name);
    long collections = collections();
    long own = OWN.getThreadAllocatedBytes(Thread.currentThread().getId());
    long heap = used();
    long from = System.nanoTime();
    stopwatch.start();
    if (isFrugal) {
      goOnSlowly(name, stopwatch);
    } else {
      for (int i = 0; name.equals(watched); i = (i + 1) % IN_FLIGHT) {
        replace(i);
        stopwatch.lap();
      }
    }
    long to = System.nanoTime();
    long garbage = used() - heap;
    garbage -= OWN.getThreadAllocatedBytes(Thread.currentThread().getId()) - own;
    long since = collections() - collections;
    String figures =
        String.format(
            "%d %d %d", stopwatch.longestGap(), stopwatch.longestStop(), stopwatch.stops());
    System.err.println(
        ("watched " + name + " " + from + " " + to)
            + (" " + figures + " " + since + " " + Math.max(0, garbage)));
  }

  /** Leaves in flight what Netty recycles the objects of, and the heap without garbage. */
  private void becomeFrugal() {
    for (int i = FEW_IN_FLIGHT; i < IN_FLIGHT; i++) {
      if (inFlight[i] != null) {
        inFlight[i].release();
        inFlight[i] = null;
      }
    }
    System.gc();
  }

  private void goOnSlowly(String name, Stopwatch stopwatch) throws IOException {
    long next = System.nanoTime();
    for (int i = 0; name.equals(watched); i = (i + 1) % FEW_IN_FLIGHT) {
      replace(i);
      next += SLOWLY_NANOS;
      do {
        stopwatch.lap();
      } while (System.nanoTime() - next < 0);
    }
  }

  private void replace(int i) {
    if (inFlight[i] != null) {
      inFlight[i].release();
    }
    inFlight[i] = allocator.directBuffer(SIZE);
  }

  private static long used() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long collections() {
    long sum = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      sum += collector.getCollectionCount();
    }
    return sum;
  }
}
