package org.buftrail.agent.jmx;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.MemoryRange;
import org.buftrail.model.Minutes;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ProcessMemory;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/** Who holds memory, as lists that JMX carries: each has at most {@value #MAX_ROWS} rows. */
final class MemoryViews {
  static final int MAX_ROWS = 50;

  private MemoryViews() {}

  static List<PathView> peakPaths(Snapshot snapshot) {
    Peak peak = snapshot.peak();
    return views(peak == null ? List.of() : peak.rows(), row -> new PathView(row.path()));
  }

  static List<PoolView> pools(@Nullable PoolMemory memory) {
    return views(memory == null ? List.of() : memory.pools(), PoolView::new);
  }

  static List<HolderView> holders(@Nullable PoolMemory memory) {
    return views(memory == null ? List.of() : memory.holders(), HolderView::new);
  }

  static List<ChunkView> chunks(@Nullable PoolMemory memory) {
    return memory == null
        ? List.of()
        : views(memory.chunks(), chunk -> new ChunkView(memory, chunk));
  }

  static List<DirectCallView> calls(@Nullable PoolMemory memory) {
    DirectMemory direct = memory == null ? null : memory.direct();
    return views(direct == null ? List.of() : direct.sites(), DirectCallView::new);
  }

  static List<AccountView> accounts(@Nullable PoolMemory memory) {
    DirectMemory direct = memory == null ? null : memory.direct();
    return views(direct == null ? List.of() : direct.accounts(), AccountView::new);
  }

  static List<OwnerView> owners(@Nullable ProcessMemory process) {
    return views(process == null ? List.of() : process.owners(), OwnerView::new);
  }

  /** The paths with most samples first. */
  static List<ReleasedView> released(Snapshot snapshot) {
    List<ReleasedView> sampled = new ArrayList<>();
    for (Path path : snapshot.paths()) {
      ReleaseSamples samples = path.samples();
      if (samples != null) {
        sampled.add(new ReleasedView(path, samples));
      }
    }
    sampled.sort(Comparator.comparingLong(view -> -view.getSampleCount()));
    return first(sampled);
  }

  static RangeView range(@Nullable Minutes minutes, long fromMillis, long toMillis) {
    if (minutes == null || minutes.size() == 0) {
      throw new IllegalStateException("no minute is kept");
    }
    return new RangeView(MemoryRange.of(minutes, fromMillis, toMillis));
  }

  static <T> List<T> first(List<T> all) {
    return all.subList(0, Math.min(MAX_ROWS, all.size()));
  }

  private static <T, V> List<V> views(List<T> all, Function<T, V> view) {
    List<V> views = new ArrayList<>();
    for (T each : first(all)) {
      views.add(view.apply(each));
    }
    return views;
  }
}
