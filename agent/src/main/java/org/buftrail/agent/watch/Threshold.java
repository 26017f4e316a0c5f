package org.buftrail.agent.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.buftrail.flow.Path;
import org.buftrail.flow.Snapshot;
import org.buftrail.flow.Suspects;

/** A figure of a snapshot that somebody wants to hear of when it passes a limit. Immutable. */
public final class Threshold {
  /** What can be measured, under the names that the option takes. */
  private enum Metric {
    LIVE_BYTES("liveBytes", Unit.BYTES, s -> s.live().bytes(), true),
    DIRECT_BYTES("directBytes", Unit.BYTES, Threshold::liveDirectBytes, true),
    LEAKED_BYTES("leakedBytes", Unit.BYTES, s -> s.leaked().bytes(), false),
    LIVE("live", Unit.COUNT, s -> s.live().count(), true),
    LEAKED("leaked", Unit.COUNT, s -> s.leaked().count(), false),
    DROPPED_BYTES("droppedBytes", Unit.BYTES, s -> s.dropped().bytes(), false),
    DROPPED("dropped", Unit.COUNT, s -> s.dropped().count(), false),
    SUSPECTS("suspects", Unit.COUNT, s -> Suspects.of(s).size(), true),
    OLDEST("oldest", Unit.MILLIS, Threshold::oldestMillis, true);

    final String title;
    final Unit unit;

    @SuppressWarnings("ImmutableEnumChecker")
    final ToLongFunction<Snapshot> value;

    final boolean falls;

    Metric(String title, Unit unit, ToLongFunction<Snapshot> value, boolean falls) {
      this.title = title;
      this.unit = unit;
      this.value = value;
      this.falls = falls;
    }
  }

  private enum Unit {
    BYTES,
    COUNT,
    MILLIS
  }

  private final Metric metric;
  private final long limit;

  private Threshold(Metric metric, long limit) {
    this.metric = metric;
    this.limit = limit;
  }

  /**
   * Reads {@code liveBytes>512m,leaked>10,oldest>10m}.
   *
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  public static List<Threshold> parse(String text) {
    List<Threshold> all = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int sign = part.indexOf('>');
      if (sign < 0) {
        throw new IllegalArgumentException(
            "'" + part.trim() + "' is not of the form liveBytes>512m");
      }
      Metric metric = metric(part.substring(0, sign).trim());
      all.add(new Threshold(metric, limit(metric, part.substring(sign + 1).trim())));
    }
    return all;
  }

  private static Metric metric(String name) {
    StringBuilder known = new StringBuilder();
    for (Metric metric : Metric.values()) {
      if (metric.title.equals(name)) {
        return metric;
      }
      known.append(known.length() == 0 ? "" : ", ").append(metric.title);
    }
    throw new IllegalArgumentException("'" + name + "' is not one of " + known);
  }

  private static long limit(Metric metric, String text) {
    switch (metric.unit) {
      case BYTES:
        return Amounts.bytes(text);
      case MILLIS:
        return Amounts.millis(text);
      default:
        return Amounts.count(text);
    }
  }

  /** The name that the option takes. */
  public String name() {
    return metric.title;
  }

  /** The figure. */
  public long value(Snapshot snapshot) {
    return metric.value.applyAsLong(snapshot);
  }

  /** What it must be above to be heard of. */
  public long limit() {
    return limit;
  }

  /** Whether the figure can fall again; others only grow. */
  boolean falls() {
    return metric.falls;
  }

  /** {@code liveBytes is 600000000, above 536870912}. */
  String describe(long value) {
    String unit = metric.unit == Unit.MILLIS ? " ms" : "";
    return metric.title + " is " + value + unit + ", above " + limit + unit;
  }

  private static long liveDirectBytes(Snapshot snapshot) {
    return snapshot.paths().stream()
        .filter(Path::isDirect)
        .mapToLong(path -> path.live().bytes())
        .sum();
  }

  private static long oldestMillis(Snapshot snapshot) {
    return snapshot.paths().stream().mapToLong(Path::oldestMillis).max().orElse(Path.NO_AGE);
  }
}
