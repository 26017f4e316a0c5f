package org.buftrail.spark;

import java.io.Serializable;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.jspecify.annotations.Nullable;

/**
 * What filters say of the rows that they let pass, as far as it saves work. Spark applies all
 * filters again, so rows too many do no harm.
 *
 * @param kinds null for all, as with the others
 * @param from nanoseconds since the epoch
 * @param to behind the last
 */
record RowLimits(
    @Nullable Set<String> kinds,
    @Nullable Set<String> events,
    @Nullable Set<String> services,
    long from,
    long to)
    implements Serializable {
  static final RowLimits NONE = new RowLimits(null, null, null, Long.MIN_VALUE, Long.MAX_VALUE);

  private static final long MICRO = 1_000;

  /** These and what a filter says; the same if it says nothing that saves work. */
  RowLimits and(Filter filter) {
    if (filter instanceof EqualTo equal) {
      return and(equal.attribute(), new Object[] {equal.value()});
    } else if (filter instanceof In in) {
      return and(in.attribute(), in.values());
    } else if (filter instanceof GreaterThan later) {
      return since(later.attribute(), later.value());
    } else if (filter instanceof GreaterThanOrEqual later) {
      return since(later.attribute(), later.value());
    } else if (filter instanceof LessThan earlier) {
      return until(earlier.attribute(), earlier.value());
    } else if (filter instanceof LessThanOrEqual earlier) {
      return until(earlier.attribute(), earlier.value());
    }
    return this;
  }

  private RowLimits and(String column, Object[] values) {
    if (column.startsWith("time")) {
      return values.length == 1 ? since(column, values[0]).until(column, values[0]) : this;
    }
    Set<String> texts = new HashSet<>();
    for (Object value : values) {
      if (value != null) {
        texts.add(value.toString());
      }
    }
    return switch (column) {
      case "kind" -> new RowLimits(common(kinds, texts), events, services, from, to);
      case "event" -> new RowLimits(kinds, common(events, texts), services, from, to);
      case "service" -> new RowLimits(kinds, events, common(services, texts), from, to);
      default -> this;
    };
  }

  private static Set<String> common(@Nullable Set<String> known, Set<String> texts) {
    if (known != null) {
      texts.retainAll(known);
    }
    return texts;
  }

  private RowLimits since(String column, Object value) {
    Long nanos = nanos(column, value);
    return nanos == null ? this : new RowLimits(kinds, events, services, Math.max(from, nanos), to);
  }

  /** Up to a moment, which is a microsecond long. */
  private RowLimits until(String column, Object value) {
    Long nanos = nanos(column, value);
    return nanos == null
        ? this
        : new RowLimits(kinds, events, services, from, Math.min(to, nanos + MICRO));
  }

  private static @Nullable Long nanos(String column, Object value) {
    try {
      if (column.equals("time") && value instanceof LocalDateTime time) {
        Instant instant = time.toInstant(ZoneOffset.UTC);
        long seconds = Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L);
        return Math.addExact(seconds, instant.getNano() + MICRO) - MICRO;
      } else if (column.equals("time_nanos") && value instanceof Long nanos) {
        return Math.addExact(nanos, MICRO) - MICRO;
      }
    } catch (ArithmeticException e) {
      // So far away that it limits nothing, or everything; Spark will see.
      return null;
    }
    return null;
  }

  /** Describes the limits for query plans. */
  List<String> described() {
    List<String> limits = new ArrayList<>();
    describe(limits, "kind", kinds);
    describe(limits, "event", events);
    describe(limits, "service", services);
    if (from != Long.MIN_VALUE || to != Long.MAX_VALUE) {
      limits.add("time");
    }
    return limits;
  }

  private static void describe(List<String> limits, String name, @Nullable Set<String> values) {
    if (values != null) {
      limits.add(name + " in " + values);
    }
  }
}
