package org.buftrail.agent.watch;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;

/** Sees a heap that is as good as full: what the collector could not free fills a pool. */
public final class HeapPressure {
  /** Hundredths of a pool that are in use after a collection when its end is near. */
  private static final long FULL_PERCENT = 97;

  private final List<MemoryPoolMXBean> pools = new ArrayList<>();

  /** Looks at the pools that survive collections. */
  public HeapPressure() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP && pool.isCollectionUsageThresholdSupported()) {
        pools.add(pool);
      }
    }
  }

  /** Whether the largest pool was nearly full after its last collection. */
  public boolean isHigh() {
    MemoryUsage largest = null;
    for (MemoryPoolMXBean pool : pools) {
      MemoryUsage usage = pool.getCollectionUsage();
      if (usage != null && (largest == null || usage.getMax() > largest.getMax())) {
        largest = usage;
      }
    }
    return largest != null
        && largest.getMax() > 0
        && largest.getUsed() / FULL_PERCENT >= largest.getMax() / 100;
  }
}
