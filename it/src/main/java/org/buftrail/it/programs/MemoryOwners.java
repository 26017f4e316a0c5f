package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;

/**
 * Has much memory of one owner, all of it touched. Writes how many bytes that is now into {@code
 * ready}, where it knows, whenever that file is not there.
 */
public final class MemoryOwners {
  private static final int MIB = 1 << 20;
  private static final int PAGE = 4_096;
  private static final String NUMBER = "Filler00000";

  /** Sizes of stacks, of which 0 is the usual one. */
  private static final long[] STACKS = {0, MIB / 2, 2 * MIB};

  private static final List<Object> KEPT = new ArrayList<>();

  private MemoryOwners() {}

  /** Loaded under many names, each as long. */
  public static final class Filler00000 implements Runnable {
    private long sum;
    private String text = "";

    @Override
    public void run() {
      add(3);
      append("text", 7);
      sum += Math.round(half(17)) + text.length();
    }

    private void add(int more) {
      for (int i = 0; i < more; i++) {
        sum += i * sum + more;
      }
    }

    private void append(String more, int number) {
      text = text + more + number + sum;
    }

    private double half(int of) {
      return of / 2.0 + sum % of;
    }
  }

  private static final class Fillers extends ClassLoader {
    Fillers() {
      super(MemoryOwners.class.getClassLoader());
    }

    Class<?> define(byte[] classFile) {
      return defineClass(null, classFile, 0, classFile.length);
    }
  }

  /**
   * Runs the program.
   *
   * @param args the owner, and how much of it: MiB, threads or classes
   */
  public static void main(String[] args) throws Exception {
    LongSupplier bytes = hold(args[0], Integer.parseInt(args[1]));
    while (!Files.exists(Path.of("stop"))) {
      if (!Files.exists(Path.of("ready"))) {
        Path written = Files.writeString(Path.of("ready.part"), Long.toString(bytes.getAsLong()));
        Files.move(written, Path.of("ready"));
      }
      Thread.sleep(10);
    }
  }

  private static LongSupplier hold(String owner, int amount) throws Exception {
    switch (owner) {
      case "heap":
        for (int i = 0; i < amount; i++) {
          // With its header as large as a region of the collector, or a part of one.
          KEPT.add(new byte[MIB - 64]);
        }
        return () -> (long) amount * MIB;
      case "direct":
        for (int i = 0; i < amount; i++) {
          KEPT.add(ByteBuffer.allocateDirect(MIB));
        }
        return () -> (long) amount * MIB;
      case "mapped":
        map((long) amount * MIB);
        return () -> (long) amount * MIB;
      case "netty":
        PooledByteBufAllocator allocator = pool(amount);
        return () -> allocator.metric().usedDirectMemory();
      case "threads":
        CountDownLatch all = new CountDownLatch(amount);
        for (int i = 0; i < amount; i++) {
          long size = STACKS[i % STACKS.length];
          Thread thread = new Thread(null, () -> sink(3_000, all), "sink-" + i, size);
          thread.setDaemon(true);
          thread.start();
        }
        all.await();
        return () -> 0;
      case "classes":
        load(amount);
        return () -> used("Metaspace");
      default:
        load(amount);
        for (Object type : List.copyOf(KEPT)) {
          ((Runnable) ((Class<?>) type).getConstructor().newInstance()).run();
        }
        return () -> used("Code.*");
    }
  }

  private static void map(long bytes) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            Path.of("mapped"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
      for (int i = 0; i < bytes; i += PAGE) {
        mapped.put(i, (byte) 1);
      }
      KEPT.add(mapped);
    }
  }

  /** Keeps one buffer in each chunk of 4 MiB. */
  private static PooledByteBufAllocator pool(int mib) {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    List<ByteBuf> released = new ArrayList<>();
    for (int i = 0; i < mib * 64; i++) {
      ByteBuf buffer = allocator.directBuffer(MIB / 64);
      buffer.setZero(0, buffer.capacity());
      if (i % 256 == 0) {
        KEPT.add(buffer);
      } else {
        released.add(buffer);
      }
    }
    released.forEach(ByteBuf::release);
    return allocator;
  }

  private static int sink(int depth, CountDownLatch all) {
    if (depth > 0) {
      return sink(depth - 1, all) + 1;
    }
    all.countDown();
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      return 1;
    }
    return 0;
  }

  private static void load(int classes) throws IOException {
    byte[] first;
    try (InputStream in =
        MemoryOwners.class.getResourceAsStream("MemoryOwners$" + NUMBER + ".class")) {
      first = in.readAllBytes();
    }
    String text = new String(first, StandardCharsets.ISO_8859_1);
    Fillers loader = new Fillers();
    for (int i = 1; i <= classes; i++) {
      String named = text.replace(NUMBER, String.format("Filler%05d", i));
      KEPT.add(loader.define(named.getBytes(StandardCharsets.ISO_8859_1)));
    }
  }

  private static long used(String pools) {
    long used = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      used += pool.getName().matches(pools) ? pool.getUsage().getUsed() : 0;
    }
    return used;
  }
}
