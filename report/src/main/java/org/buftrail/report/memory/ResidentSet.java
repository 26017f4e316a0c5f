package org.buftrail.report.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ProcessMemory;
import org.buftrail.profile.text.Amounts;
import org.jspecify.annotations.Nullable;

/**
 * Divides the resident set of a JVM among its owners, from what the kernel, the JVM and the agent
 * say. Immutable. Linux only.
 */
public final class ResidentSet {
  /** Before Java 24 ZGC may map its heap three times. */
  private static final String MAPPED_AGAIN =
      "; Linux counts a page of ZGC once for each of its mappings";

  /** Categories of Native Memory Tracking that are named. */
  private static final int MAX_CATEGORIES = 5;

  /** What threads get where the JVM does not say. */
  private static final long STACK_KIB = 1_024;

  private final Path process;
  private final List<Mapping> mappings;

  private ResidentSet(Path process, List<Mapping> mappings) {
    this.process = process;
    this.mappings = mappings;
  }

  /**
   * Reads what the kernel says. If that is possible, the JVM has descriptors left to be asked with.
   *
   * @param process its directory, {@code /proc/PID}
   * @throws IOException saying in one line why it cannot be looked at
   */
  public static ResidentSet read(Path process) throws IOException {
    Path file = process.resolve("smaps");
    List<Mapping> mappings;
    try {
      mappings = Mapping.parse(Files.readAllLines(file));
    } catch (IOException e) {
      throw new IOException(file + " cannot be read, which needs Linux, and the process's user", e);
    }
    if (mappings.isEmpty()) {
      throw new IOException(file + " is empty, so this system does not say what is in RAM");
    }
    return new ResidentSet(process, mappings);
  }

  /**
   * Divides it.
   *
   * @param jvm what the JVM says
   * @param pools what allocators keep; null where the agent does not say
   * @param hasAgent whether the agent is there
   */
  public ProcessMemory divide(JvmFigures jvm, @Nullable PoolMemory pools, boolean hasAgent) {
    List<Range> ranges = JvmRanges.parse(jvm.answer("vmInfo"), jvm.answer("vmMetaspace"));
    String stack = jvm.flag("ThreadStackSize");
    long kib = stack == null || stack.equals("0") ? STACK_KIB : Long.parseLong(stack);
    MemoryBill bill =
        new MemoryBill(ranges, kib << 10, jvm.stackPointers(), PresentPages.of(process));
    bill.add(mappings);
    Map<Owner, String> remarks = new EnumMap<>(Owner.class);
    claim(bill, jvm, pools, hasAgent, remarks);
    remark(bill, jvm, remarks);
    List<ProcessMemory.Owner> owners = new ArrayList<>();
    for (Owner owner : Owner.values()) {
      owners.add(
          new ProcessMemory.Owner(
              owner.title(),
              bill.resident(owner),
              bill.beyond(owner),
              remarks.getOrDefault(owner, "")));
    }
    return new ProcessMemory(owners, limits(jvm));
  }

  private static void claim(
      MemoryBill bill,
      JvmFigures jvm,
      @Nullable PoolMemory pools,
      boolean hasAgent,
      Map<Owner, String> remarks) {
    long netty = 0;
    long held = 0;
    long idle = 0;
    if (pools != null) {
      for (PoolMemory.Pool pool : pools.pools()) {
        netty += pool.isDirect() ? pool.bytes() : 0;
        held += pool.isDirect() ? pool.held() : 0;
        idle += pool.isDirect() ? pool.idle() : 0;
      }
    }
    long counted = jvm.buffers("direct");
    boolean isNettyCounted = jvm.countsNetty();
    bill.claim(Owner.NETTY, netty);
    bill.claim(Owner.DIRECT, Math.max(isNettyCounted ? counted - netty : counted, 0));
    remarks.put(
        Owner.NETTY, pools == null ? unseen(hasAgent, isNettyCounted) : held(held, netty, idle));
    remarks.put(
        Owner.DIRECT, Amounts.of(Math.max(counted, 0), "bytes") + " counted by the JVM in all");
    Map<String, Long> malloced = JvmFigures.malloced(jvm.answer("vmNativeMemory"));
    bill.claim(Owner.JVM, malloced == null ? 0 : sum(malloced.values()));
    remarks.put(
        Owner.JVM,
        malloced == null ? "start with -XX:NativeMemoryTracking=summary to know" : most(malloced));
  }

  private static long sum(Collection<Long> amounts) {
    long sum = 0;
    for (long amount : amounts) {
      sum += amount;
    }
    return sum;
  }

  /** {@code GC 4.3 MiB, Symbol 2.3 MiB}: the largest. */
  private static String most(Map<String, Long> categories) {
    List<Map.Entry<String, Long>> largest = new ArrayList<>(categories.entrySet());
    largest.sort(Map.Entry.<String, Long>comparingByValue().reversed());
    List<String> texts = new ArrayList<>();
    for (Map.Entry<String, Long> each :
        largest.subList(0, Math.min(MAX_CATEGORIES, largest.size()))) {
      texts.add(each.getKey() + " " + Amounts.of(each.getValue(), "bytes"));
    }
    return String.join(", ", texts);
  }

  private static String unseen(boolean hasAgent, boolean isCounted) {
    return (hasAgent ? "the agent names no chunk" : "the agent is not there")
        + "; what Netty has is among what is "
        + (isCounted ? "direct" : "not known");
  }

  private static String held(long held, long all, long idle) {
    return String.format(
        Locale.ROOT,
        "held by live buffers %s, idle %s, not located %s",
        Amounts.of(held, "bytes"),
        Amounts.of(idle, "bytes"),
        Amounts.of(all - held - idle, "bytes"));
  }

  private static void remark(MemoryBill bill, JvmFigures jvm, Map<Owner, String> remarks) {
    long[] heap = jvm.pools("HEAP", ".*");
    // Another collector's heap may have grown since the JVM was asked.
    boolean isCountedAgain = jvm.pools("HEAP", "Z.*")[1] > 0 && bill.resident(Owner.HEAP) > heap[1];
    remarks.put(Owner.HEAP, usage(heap) + (isCountedAgain ? MAPPED_AGAIN : ""));
    // The pool for compressed classes is a part of this.
    remarks.put(Owner.METASPACE, usage(jvm.pools("NON_HEAP", "Metaspace")));
    remarks.put(Owner.CODE, usage(jvm.pools("NON_HEAP", "Code.*")));
    remarks.put(
        Owner.STACKS, bill.stacks() + " stacks found; " + jvm.threads() + " threads run Java");
    long mapped = Math.max(jvm.buffers("mapped"), 0);
    remarks.put(Owner.MAPPED, Amounts.of(mapped, "bytes") + " mapped by the application");
    remarks.put(
        Owner.UNKNOWN,
        "malloc by native code, or freed and kept by malloc; async-profiler's nativemem shows it");
  }

  private static String usage(long[] usedAndCommitted) {
    return Amounts.of(usedAndCommitted[0], "bytes")
        + " used of "
        + Amounts.of(usedAndCommitted[1], "bytes")
        + " committed";
  }

  private List<String> limits(JvmFigures jvm) {
    List<String> limits = new ArrayList<>();
    String heap = jvm.flag("MaxHeapSize");
    String direct = jvm.flag("MaxDirectMemorySize");
    long most = heap == null ? 0 : Long.parseLong(heap);
    limits.add("Java heap at most " + Amounts.of(most, "bytes"));
    boolean isSet = direct != null && !direct.equals("0");
    long bytes = isSet ? Long.parseLong(direct) : most;
    limits.add("direct buffers of the JDK at most " + Amounts.of(bytes, "bytes"));
    String netty = jvm.property("io.netty.maxDirectMemory");
    if (netty != null) {
      limits.add("io.netty.maxDirectMemory=" + netty);
    }
    long group = group(process);
    if (group != ControlGroup.NONE) {
      limits.add("the cgroup at most " + Amounts.of(group, "bytes"));
    }
    return limits;
  }

  /** The least limit of its cgroups in bytes; {@link ControlGroup#NONE} where they have none. */
  static long group(Path process) {
    long least = ControlGroup.NONE;
    Path mounted = process.resolve("root/sys/fs/cgroup");
    for (ControlGroup group : ControlGroup.of(mounted, process.resolve("cgroup"))) {
      long limit = group.limit();
      if (limit != ControlGroup.NONE) {
        least = least == ControlGroup.NONE ? limit : Math.min(least, limit);
      }
    }
    return least;
  }
}
