package org.buftrail.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The {@linkplain Figure figures} of one snapshot. Sums over paths are added up in one pass over
 * them, by the kind of memory. Immutable.
 */
public final class FigureValues {
  /** Direct memory, heap memory, and resources. */
  static final String[] PARTS = {"direct", "heap", "resource"};

  private static final int DIRECT = 0;
  private static final int HEAP = 1;
  private static final int RESOURCE = 2;

  private static final long MICROS = 1_000_000;

  /** Calls and places that are named, so that there are a few dozen series at most. */
  private static final int MAX_PLACES = 50;

  private final Snapshot snapshot;

  /** By figure, then by part. */
  private final Map<Figure, long[]> sums = new EnumMap<>(Figure.class);

  private FigureValues(Snapshot snapshot) {
    this.snapshot = snapshot;
    for (Figure figure : Figure.values()) {
      if (figure.label() == Figure.Label.MEMORY) {
        sums.put(figure, new long[PARTS.length]);
      }
    }
    for (Path path : snapshot.paths()) {
      int part = path.resource() != null ? RESOURCE : path.isDirect() ? DIRECT : HEAP;
      add(Figure.RELEASED, Figure.RELEASED_BYTES, part, path.released());
      add(Figure.LEAKED, Figure.LEAKED_BYTES, part, path.leaked());
      add(Figure.DROPPED, Figure.DROPPED_BYTES, part, path.dropped());
      add(Figure.LIVE, Figure.LIVE_BYTES, part, path.live());
      sums(Figure.HELD)[part] += path.held();
    }
  }

  private void add(Figure count, Figure bytes, int part, Path.Flows flows) {
    sums(count)[part] += flows.count();
    sums(bytes)[part] += flows.bytes();
  }

  private long[] sums(Figure figure) {
    return Objects.requireNonNull(sums.get(figure));
  }

  /** Those of a snapshot. */
  public static FigureValues of(Snapshot snapshot) {
    return new FigureValues(snapshot);
  }

  /** The part of a figure by {@link Figure.Label#MEMORY} that is in one of {@link #PARTS}. */
  long get(Figure figure, int part) {
    return sums(figure)[part];
  }

  /** A figure as a whole. */
  public long get(Figure figure) {
    switch (figure) {
      case ALLOCATED:
        return snapshot.allocated();
      case BUFFERS_ALLOCATED:
        return snapshot.allocated() - resources();
      case RELEASED:
      case RELEASED_BYTES:
      case LEAKED:
      case LEAKED_BYTES:
      case HELD:
      case DROPPED:
      case DROPPED_BYTES:
      case LIVE:
      case LIVE_BYTES:
        return get(figure, DIRECT) + get(figure, HEAP) + get(figure, RESOURCE);
      case DIRECT_LEAKED_BYTES:
        return get(Figure.LEAKED_BYTES, DIRECT);
      case DIRECT_LIVE_BYTES:
        return get(Figure.LIVE_BYTES, DIRECT);
      case PEAK_LIVE_BYTES:
      case PEAK_PLACE_BYTES:
      case PEAK_AT:
        return ofPeak(figure, snapshot.peak());
      case POOL_BYTES:
      case POOL_HELD_BYTES:
      case POOL_TAKEN_BYTES:
      case POOL_FREE_BYTES:
      case POOL_OTHER_BYTES:
      case POOL_IDLE_BYTES:
      case POOL_NOT_LOCATED_BYTES:
      case POOL_ALONE_BYTES:
      case POOL_HOLD_BYTES:
      case POOL_RETURNED_BYTES:
        return snapshot.pools() == null ? Path.NEVER : total(series(figure));
      case RESIDENT_BYTES:
        return snapshot.resident() == null ? Path.NEVER : total(series(figure));
      case DIRECT_CALL_BYTES:
        DirectMemory direct = direct();
        return direct == null ? Path.NEVER : direct.live().bytes();
      case DIRECT_ACCOUNT_BYTES:
      case DIRECT_LIMIT_BYTES:
        return total(series(figure));
      case RELEASED_SIZES:
      case RELEASED_LIFETIMES:
        return last(series(figure));
      case RESOURCES_CLOSED:
      case RESOURCES_LEAKED:
      case RESOURCES_LIVE:
        return get(summed(figure), RESOURCE);
      case ROOT_LIVE_BYTES:
      case ROOT_LEAKED_BYTES:
        return get(summed(figure), DIRECT) + get(summed(figure), HEAP);
      default:
        return ofTracker(figure);
    }
  }

  private static long ofPeak(Figure figure, @Nullable Peak peak) {
    if (figure == Figure.PEAK_AT) {
      return peak == null ? Path.NEVER : peak.atMillis();
    }
    return peak == null ? 0 : peak.flows().bytes();
  }

  private long ofTracker(Figure figure) {
    TrackerStatus status = snapshot.status();
    TrackerStatus.@Nullable Stop stop = status.stop();
    switch (figure) {
      case OLDEST_LIVE:
        return oldestMillis();
      case ROOTS:
        return roots();
      case PATHS:
        return snapshot.paths().size();
      case LEAK_PATHS:
        return LeakPaths.of(snapshot.paths()).size();
      case SUSPECT_PATHS:
        return Suspects.of(snapshot).size();
      case MISUSES:
        return misuses();
      case SAMPLING:
        return snapshot.sampling();
      case OVERFLOWED:
        return snapshot.overflowed();
      case SUPPRESSED_ERRORS:
        return status.suppressedErrors();
      case LOST_RELEASES:
        return status.lostReleases();
      case TRACKING:
        return stop == null ? 1 : 0;
      case TRACKING_STOPPED:
        return stop == null ? Path.NEVER : stop.sinceMillis();
      case THREAD_FAILURES:
        return total(series(figure));
      case THREAD_LAST_ROUND:
        return last(series(figure));
      default:
        throw new IllegalArgumentException(figure.name());
    }
  }

  /** Flows of what is no buffer. */
  private long resources() {
    return get(Figure.RELEASED, RESOURCE)
        + get(Figure.LEAKED, RESOURCE)
        + get(Figure.HELD, RESOURCE)
        + get(Figure.DROPPED, RESOURCE)
        + get(Figure.LIVE, RESOURCE);
  }

  private long misuses() {
    long misuses = 0;
    for (Misuse misuse : snapshot.misuses()) {
      misuses += misuse.count();
    }
    return misuses;
  }

  private long oldestMillis() {
    long oldest = Path.NO_AGE;
    for (Path path : snapshot.paths()) {
      oldest = Math.max(oldest, path.oldestMillis());
    }
    return oldest;
  }

  private long roots() {
    Set<Site> roots = new HashSet<>();
    for (Path path : snapshot.paths()) {
      roots.add(path.hops().get(0).site());
    }
    return roots.size();
  }

  /**
   * A figure by the values of its {@linkplain Figure#label() label}; one value under an empty text
   * where it has none.
   */
  public Map<String, Long> series(Figure figure) {
    switch (figure.label()) {
      case NONE:
        return Collections.singletonMap("", get(figure));
      case MEMORY:
        Map<String, Long> byMemory = new LinkedHashMap<>();
        byMemory.put(PARTS[DIRECT], get(figure, DIRECT));
        byMemory.put(PARTS[HEAP], get(figure, HEAP));
        return byMemory;
      case REASON:
        TrackerStatus.@Nullable Stop stop = snapshot.status().stop();
        return stop == null
            ? Collections.emptyMap()
            : Collections.singletonMap(stop.reason(), stop.sinceMillis());
      case THREAD:
        return byThread(figure);
      case POOL:
        return byPool(figure);
      case HOLDER:
        return byHolder(figure);
      case OWNER:
        return byOwner();
      case LE:
        return below(figure);
      case CALL:
      case ACCOUNT:
        return ofDirect(figure, direct());
      default:
        return byOrigin(figure);
    }
  }

  private Map<String, Long> byThread(Figure figure) {
    Map<String, Long> threads = new LinkedHashMap<>();
    for (TrackerStatus.ThreadHealth thread : snapshot.status().threads()) {
      boolean failures = figure == Figure.THREAD_FAILURES;
      threads.put(
          thread.name(), failures ? thread.failures() : Math.max(0, thread.lastRoundMillis()));
    }
    return threads;
  }

  /** None where no allocator was asked. */
  private Map<String, Long> byPool(Figure figure) {
    Map<String, Long> pools = new LinkedHashMap<>();
    PoolMemory memory = snapshot.pools();
    if (memory != null) {
      for (PoolMemory.Pool pool : memory.pools()) {
        String name = pool.allocator() + (pool.isDirect() ? ", direct" : ", heap");
        pools.put(name, pools.getOrDefault(name, 0L) + amount(figure, pool));
      }
    }
    return pools;
  }

  /** Those with most; none where no allocator was asked, or nothing was live. */
  private Map<String, Long> byHolder(Figure figure) {
    Map<String, Long> holders = new LinkedHashMap<>();
    Peak peak = snapshot.peak();
    if (figure == Figure.PEAK_PLACE_BYTES && peak != null) {
      for (Peak.Row row : peak.rows()) {
        addAt(row.hops(), row.flows().bytes(), holders);
      }
    }
    PoolMemory memory = snapshot.pools();
    if (figure != Figure.PEAK_PLACE_BYTES && memory != null) {
      for (PoolMemory.Holder holder : memory.holders()) {
        addAt(holder.hops(), amount(figure, holder), holders);
      }
    }
    return largest(holders);
  }

  private static void addAt(List<Path.Hop> hops, long bytes, Map<String, Long> places) {
    String place = hops.get(hops.size() - 1).site().toString();
    if (bytes > 0) {
      places.put(place, places.getOrDefault(place, 0L) + bytes);
    }
  }

  private static Map<String, Long> largest(Map<String, Long> places) {
    List<Map.Entry<String, Long>> sorted = new ArrayList<>(places.entrySet());
    sorted.sort(new LargestFirst());
    Map<String, Long> largest = new LinkedHashMap<>();
    for (Map.Entry<String, Long> place : sorted.subList(0, Math.min(MAX_PLACES, sorted.size()))) {
      largest.put(place.getKey(), place.getValue());
    }
    return largest;
  }

  /** No lambda, which the JVM would have to make at run time in the application. */
  private static final class LargestFirst implements Comparator<Map.Entry<String, Long>> {
    @Override
    public int compare(Map.Entry<String, Long> one, Map.Entry<String, Long> other) {
      return Long.compare(other.getValue(), one.getValue());
    }
  }

  private static long amount(Figure figure, PoolMemory.Holder holder) {
    switch (figure) {
      case POOL_HOLD_BYTES:
        return holder.held();
      case POOL_RETURNED_BYTES:
        return holder.returned();
      default:
        return holder.alone();
    }
  }

  /** None where nobody looked at the process. */
  private Map<String, Long> byOwner() {
    Map<String, Long> owners = new LinkedHashMap<>();
    ProcessMemory process = snapshot.resident();
    if (process != null) {
      for (ProcessMemory.Owner owner : process.owners()) {
        owners.put(owner.name(), owner.resident());
      }
    }
    return owners;
  }

  /** Sums of sampled releases up to each power of two; none where nothing was sampled. */
  private Map<String, Long> below(Figure figure) {
    ReleaseSamples all = null;
    for (Path path : snapshot.paths()) {
      ReleaseSamples samples = path.samples();
      if (samples != null) {
        all = all == null ? samples : all.plus(samples);
      }
    }
    Map<String, Long> series = new LinkedHashMap<>();
    boolean isSize = figure == Figure.RELEASED_SIZES;
    int classes = isSize ? ReleaseSamples.SIZES : ReleaseSamples.LIFETIMES;
    long sum = 0;
    for (int i = 0; all != null && i < classes; i++) {
      sum += isSize ? all.sizes(i) : all.lifetimes(i);
      String bound = isSize ? Long.toString(1L << i) : seconds(1L << i);
      series.put(i == classes - 1 ? "+Inf" : bound, sum);
    }
    return series;
  }

  /** {@code 0.000512}, {@code 2.097152}. */
  private static String seconds(long micros) {
    String fraction = Long.toString(MICROS + micros % MICROS).substring(1);
    return Long.toString(micros / MICROS).concat(".").concat(fraction);
  }

  private @Nullable DirectMemory direct() {
    PoolMemory memory = snapshot.pools();
    return memory == null ? null : memory.direct();
  }

  /** None where nobody asked; of calls those with most live bytes. */
  private static Map<String, Long> ofDirect(Figure figure, @Nullable DirectMemory direct) {
    Map<String, Long> series = new LinkedHashMap<>();
    if (direct == null) {
      return series;
    }
    if (figure == Figure.DIRECT_CALL_BYTES) {
      for (DirectMemory.CallSite call : direct.sites()) {
        if (series.size() < MAX_PLACES) {
          String place = call.site().toString();
          series.put(place, series.getOrDefault(place, 0L) + call.live().bytes());
        }
      }
      return series;
    }
    for (DirectMemory.Account account : direct.accounts()) {
      boolean isLimit = figure == Figure.DIRECT_LIMIT_BYTES;
      long value = isLimit ? account.limit() : account.bytes();
      if (value != DirectMemory.Account.UNKNOWN) {
        series.put(account.name(), series.getOrDefault(account.name(), 0L) + value);
      }
    }
    return series;
  }

  private static long amount(Figure figure, PoolMemory.Pool pool) {
    switch (figure) {
      case POOL_HELD_BYTES:
        return pool.held();
      case POOL_TAKEN_BYTES:
        return Math.max(0, pool.taken());
      case POOL_FREE_BYTES:
        return Math.max(0, pool.free());
      case POOL_OTHER_BYTES:
        return Math.max(0, pool.other());
      case POOL_IDLE_BYTES:
        return pool.idle();
      case POOL_NOT_LOCATED_BYTES:
        return pool.notLocated();
      default:
        return pool.bytes();
    }
  }

  private Map<String, Long> byOrigin(Figure figure) {
    Map<String, Long> origins = new TreeMap<>();
    boolean byType = figure.label() == Figure.Label.TYPE;
    for (Path path : snapshot.paths()) {
      String type = path.resource();
      if (byType == (type != null)) {
        String origin = byType ? type : path.hops().get(0).site().hop();
        long before = origins.getOrDefault(origin, 0L);
        origins.put(Objects.requireNonNull(origin), before + amount(summed(figure), path));
      }
    }
    return origins;
  }

  /** The amount that a figure by origin adds up. */
  private static Figure summed(Figure figure) {
    switch (figure) {
      case ROOT_LIVE_BYTES:
        return Figure.LIVE_BYTES;
      case ROOT_LEAKED_BYTES:
        return Figure.LEAKED_BYTES;
      case RESOURCES_CLOSED:
        return Figure.RELEASED;
      case RESOURCES_LEAKED:
        return Figure.LEAKED;
      case RESOURCES_LIVE:
        return Figure.LIVE;
      default:
        throw new IllegalArgumentException(figure.name());
    }
  }

  private static long amount(Figure figure, Path path) {
    switch (figure) {
      case LIVE_BYTES:
        return path.live().bytes();
      case LEAKED_BYTES:
        return path.leaked().bytes();
      case RELEASED:
        return path.released().count();
      case LEAKED:
        return path.leaked().count();
      default:
        return path.live().count();
    }
  }

  private static long total(Map<String, Long> series) {
    long total = 0;
    for (long value : series.values()) {
      total += value;
    }
    return total;
  }

  private static long last(Map<String, Long> series) {
    long last = 0;
    for (long value : series.values()) {
      last = Math.max(last, value);
    }
    return last;
  }
}
