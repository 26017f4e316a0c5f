package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Allocates and releases what it is told to, and keeps its own account. Reads commands: {@code
 * spike} holds much for two seconds, and on until somebody has seen it; {@code come N} keeps N
 * buffers of 1,000 bytes; {@code go N} releases as many of them; {@code pass N} allocates and
 * releases as many of 100 bytes.
 */
public final class Spikes {
  public static final int SMALL = 1_000;
  public static final int PASSING = 100;

  /** How many buffers of the spike come in each of two ways, and their bytes. */
  public static final int FEW = 300;

  public static final int LARGE = 65_536;
  public static final int MANY = 5_000;
  public static final int MIDDLE = 2_048;

  private static final long HOLD_NANOS = 2_000_000_000L;
  private static final long MOST_NANOS = 60_000_000_000L;

  private static final List<ByteBuf> KEPT = new ArrayList<>();

  private Spikes() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      int count = words.length > 1 ? Integer.parseInt(words[1]) : 0;
      switch (words[0]) {
        case "spike":
          spike(allocator);
          break;
        case "come":
          for (int i = 0; i < count; i++) {
            keep(allocator.directBuffer(SMALL));
          }
          break;
        case "go":
          for (int i = 0; i < count; i++) {
            KEPT.remove(KEPT.size() - 1).release();
          }
          break;
        default:
          for (int i = 0; i < count; i++) {
            pass(allocator.directBuffer(PASSING));
          }
      }
      System.err.println("done " + line);
    }
  }

  private static void spike(ByteBufAllocator allocator) throws Exception {
    List<ByteBuf> all = new ArrayList<>();
    for (int i = 0; i < FEW; i++) {
      large(allocator.directBuffer(LARGE), all);
    }
    for (int i = 0; i < MANY; i++) {
      middle(allocator.directBuffer(MIDDLE), all);
    }
    long began = System.nanoTime();
    long bytes = (long) FEW * LARGE + (long) MANY * MIDDLE + (long) KEPT.size() * SMALL;
    while (System.nanoTime() - began < HOLD_NANOS
        || (peak() < bytes && System.nanoTime() - began < MOST_NANOS)) {
      Thread.sleep(100);
    }
    all.forEach(ByteBuf::release);
  }

  private static long peak() throws JMException {
    ObjectName bean = new ObjectName("org.buftrail:type=FlowTracker");
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    return server.isRegistered(bean) ? (Long) server.getAttribute(bean, "PeakLiveBytes") : 0;
  }

  private static void large(ByteBuf buffer, List<ByteBuf> to) {
    to.add(buffer);
  }

  private static void middle(ByteBuf buffer, List<ByteBuf> to) {
    to.add(buffer);
  }

  private static void keep(ByteBuf buffer) {
    KEPT.add(buffer);
  }

  private static void pass(ByteBuf buffer) {
    buffer.release();
  }
}
