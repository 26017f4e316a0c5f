package org.buftrail.agent.pools;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.buftrail.model.DirectMemory;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM and Netty count of direct memory, and their limits. What does not answer is left
 * out: a JVM may have no management, or Netty no such method.
 */
final class DirectFigures {
  private static final String DIRECT = "direct";

  private DirectFigures() {}

  /**
   * Asks them all.
   *
   * @param allocators a class of each Netty
   * @param open lets the agent read the members of a class, whatever its module says
   */
  static DirectMemory of(
      List<DirectMemory.CallSite> sites, Set<Class<?>> allocators, Consumer<Class<?>> open) {
    List<DirectMemory.Account> accounts = new ArrayList<>();
    try {
      for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
        boolean isDirect = pool.getName().equals(DIRECT);
        if (isDirect || pool.getCount() > 0) {
          long limit = isDirect ? maxDirectMemory() : DirectMemory.Account.UNKNOWN;
          accounts.add(
              new DirectMemory.Account(
                  "JVM, " + pool.getName(), pool.getCount(), pool.getMemoryUsed(), limit));
        }
      }
    } catch (RuntimeException | LinkageError e) {
      // Without the module java.management nobody says.
    }
    for (Class<?> allocator : allocators) {
      DirectMemory.Account netty = netty(allocator, open);
      if (netty != null) {
        accounts.add(netty);
      }
    }
    return new DirectMemory(sites, accounts);
  }

  /** {@code MaxDirectMemorySize}, or what the JVM takes where it is not set. */
  private static long maxDirectMemory() {
    try {
      HotSpotDiagnosticMXBean flags =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      long size = Long.parseLong(flags.getVMOption("MaxDirectMemorySize").getValue());
      return size > 0 ? size : Runtime.getRuntime().maxMemory();
    } catch (RuntimeException | LinkageError e) {
      return DirectMemory.Account.UNKNOWN;
    }
  }

  /** Null where this Netty counts nothing, since the JVM does. */
  private static DirectMemory.@Nullable Account netty(Class<?> allocator, Consumer<Class<?>> open) {
    try {
      Class<?> platform = new Members(allocator, open).inUtil("internal.PlatformDependent");
      open.accept(platform);
      long used = (long) platform.getMethod("usedDirectMemory").invoke(null);
      long most = (long) platform.getMethod("maxDirectMemory").invoke(null);
      return used < 0
          ? null
          : new DirectMemory.Account(
              "Netty, io.netty.maxDirectMemory", DirectMemory.Account.UNKNOWN, used, most);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return null;
    }
  }
}
