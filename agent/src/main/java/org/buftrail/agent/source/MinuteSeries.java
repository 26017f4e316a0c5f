package org.buftrail.agent.source;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.buftrail.model.Births;
import org.buftrail.model.Minutes;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/** Adds up the rows of {@link MinuteStore} to one series for each path. Confined to one thread. */
final class MinuteSeries {
  private static final int AMOUNTS = MinuteRows.AMOUNTS;
  private static final int LIVE = 4;

  /**
   * The most changes that are reported, over all paths: so a snapshot does not grow by more than 2
   * MiB.
   */
  private static final int MAX_CHANGES = 40_000;

  private final List<long[]> totals = new ArrayList<>();
  private final Map<Integer, Changes> byPath = new HashMap<>();

  /** The changes of one path. */
  private static final class Changes {
    private final List<Integer> intervals = new ArrayList<>();
    private final List<long[]> amounts = new ArrayList<>();

    void add(int interval, long[] changes) {
      intervals.add(interval);
      amounts.add(changes);
    }

    /**
     * What was live when the first interval began.
     *
     * @param now of each amount
     */
    long[] before(long[] now, int at) {
      long[] before = {now[at + LIVE], now[at + LIVE + 1]};
      for (long[] changes : amounts) {
        before[0] -= changes[LIVE];
        before[1] -= changes[LIVE + 1];
      }
      return before;
    }

    /** The most bytes that were live at the end of an interval, and all that were released. */
    double weight(long[] now, int at, long[] all) {
      long live = before(now, at)[1];
      long most = live;
      long released = 0;
      for (long[] changes : amounts) {
        live += changes[LIVE + 1];
        most = Math.max(most, live);
        released += changes[1];
      }
      return (double) most / Math.max(1, all[LIVE + 1]) + (double) released / Math.max(1, all[1]);
    }

    List<Minutes.Change> list(long[] before) {
      List<Minutes.Change> list = new ArrayList<>();
      long count = before[0];
      long bytes = before[1];
      for (int i = 0; i < amounts.size(); i++) {
        long[] changes = amounts.get(i);
        count += changes[LIVE];
        bytes += changes[LIVE + 1];
        list.add(
            new Minutes.Change(
                intervals.get(i),
                new Path.Flows(changes[0], changes[1]),
                new Path.Flows(changes[2], changes[3]),
                new Path.Flows(count, bytes)));
      }
      return list;
    }
  }

  /** Takes an interval that has ended. */
  void interval(int interval, long[] total, byte[] rows) {
    total(total);
    MinuteRows.read(rows, (path, changes) -> change(interval, path, changes.clone()));
  }

  /** Takes what changed on all paths in the interval after those so far. */
  void total(long[] changes) {
    totals.add(changes);
  }

  void change(int interval, int path, long[] changes) {
    byPath.computeIfAbsent(path, number -> new Changes()).add(interval, changes);
  }

  /**
   * Makes the series.
   *
   * @param current amounts of each path
   * @param currentTotal amounts of all
   * @param now what is live
   * @param pathOf a path by its number
   */
  Minutes build(
      long began,
      long[] ends,
      long[] current,
      long[] currentTotal,
      Snapshot now,
      IntFunction<@Nullable Path> pathOf) {
    Map<Integer, Births> births = new HashMap<>();
    for (Path path : now.paths()) {
      Births born = path.births();
      if (born != null && path.resource() == null) {
        births.put(path.number(), born);
      }
    }
    Changes all = new Changes();
    for (int i = 0; i < totals.size(); i++) {
      if (Arrays.stream(totals.get(i)).anyMatch(change -> change != 0)) {
        all.add(i, totals.get(i));
      }
    }
    List<Minutes.Series> paths = new ArrayList<>();
    int told = 0;
    for (Map.Entry<Integer, Changes> each : heaviest(current, currentTotal)) {
      Path path = pathOf.apply(each.getKey());
      told += each.getValue().amounts.size();
      if (path != null && told <= MAX_CHANGES) {
        int at = each.getKey() * AMOUNTS;
        paths.add(series(path, each.getValue(), current, at, births.get(each.getKey())));
      }
    }
    Minutes.Series total = series(null, all, currentTotal, 0, sum(births));
    return new Minutes(began, ends, total, paths);
  }

  private List<Map.Entry<Integer, Changes>> heaviest(long[] current, long[] currentTotal) {
    Map<Integer, Double> weights = new HashMap<>();
    byPath.forEach(
        (path, changes) ->
            weights.put(path, changes.weight(current, path * AMOUNTS, currentTotal)));
    List<Map.Entry<Integer, Changes>> sorted = new ArrayList<>(byPath.entrySet());
    sorted.sort(
        Comparator.comparingDouble(
                (Map.Entry<Integer, Changes> each) -> -weights.getOrDefault(each.getKey(), 0.0))
            .thenComparing(Map.Entry::getKey));
    return sorted;
  }

  private static Minutes.Series series(
      @Nullable Path path, Changes changes, long[] now, int at, @Nullable Births births) {
    long[] before = changes.before(now, at);
    return new Minutes.Series(
        path == null ? List.of() : path.hops(),
        path != null && path.isDirect(),
        new Path.Flows(before[0], before[1]),
        changes.list(before),
        births);
  }

  private static @Nullable Births sum(Map<Integer, Births> births) {
    TreeMap<Long, long[]> sums = new TreeMap<>();
    for (Births each : births.values()) {
      for (int i = 0; i < each.size(); i++) {
        long[] sum = sums.computeIfAbsent(each.minute(i), minute -> new long[2]);
        sum[0] += each.flows(i).count();
        sum[1] += each.flows(i).bytes();
      }
    }
    long[] rows = new long[3 * sums.size()];
    int at = 0;
    for (Map.Entry<Long, long[]> each : sums.entrySet()) {
      rows[at++] = each.getKey();
      rows[at++] = each.getValue()[0];
      rows[at++] = each.getValue()[1];
    }
    return rows.length == 0 ? null : new Births(rows);
  }
}
