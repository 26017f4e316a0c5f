package org.buftrail.agent.pools;

import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.PoolMemory;

/**
 * Finds the memory that the allocators keep, and the buffers that hold it.
 *
 * <p>Takes time in proportion to live buffers, on the calling thread. Is for when somebody asks,
 * and seldom, for the reason that {@link org.buftrail.flow.census.LiveBuffers} gives. Thread-safe.
 */
public final class Pools implements Supplier<PoolMemory> {
  private final Instrumentation instrumentation;

  /** Asks the allocators of this JVM. */
  public Pools(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  @Override
  public synchronized PoolMemory get() {
    PoolWalk walk =
        new PoolWalk(
            FlowTracker.INSTANCE.liveBuffers(),
            FlowTracker.INSTANCE.pools(),
            new ChunkReaders(this::open));
    PoolMemory memory = walk.go();
    walk.allocators().forEach(FlowTracker.INSTANCE::notePool);
    List<DirectMemory.CallSite> sites = FlowTracker.INSTANCE.directSites();
    return sites == null
        ? memory
        : memory.with(DirectFigures.of(sites, walk.libraries(), this::open));
  }

  /** Lets the agent read the fields of a class of a library that a named module keeps to itself. */
  private void open(Class<?> type) {
    Module module = type.getModule();
    Module agent = Pools.class.getModule();
    if (!module.isOpen(type.getPackageName(), agent)) {
      instrumentation.redefineModule(
          module,
          Set.of(),
          Map.of(),
          Map.of(type.getPackageName(), Set.of(agent)),
          Set.of(),
          Map.of());
    }
  }
}
