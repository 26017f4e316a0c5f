package org.buftrail.spark;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.element_at;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.udf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/**
 * Samples of many recordings as profiles: one set for each service, stage or value of a tag. Spark
 * adds them up by stack; what is left is held in memory where the job runs.
 */
final class MergedProfiles {
  /** What samples go to that have none of what they are grouped by. */
  static final String NONE = "none";

  /** As converted recordings have them, by kind. */
  private static final Map<String, ProfileType> TYPES = types();

  private final Dataset<Row> samples;
  private final Dataset<Row> frames;
  private final Set<String> damages = new TreeSet<>();

  /**
   * @param frames of all that was recorded; reading them meets all damages
   */
  MergedProfiles(Dataset<Row> samples, Dataset<Row> frames) {
    this.samples = samples;
    this.frames = frames;
  }

  /**
   * What samples are grouped by.
   *
   * @param by {@code all}, {@code service}, {@code host}, {@code stage} or {@code tag:NAME}
   */
  static Column group(String by) {
    Column group;
    if (by.equals("all")) {
      group = lit("all");
    } else if (by.equals("service") || by.equals("host")) {
      group = col(by);
    } else if (by.equals("stage")) {
      UDF1<String, String> stage = SparkStages::of;
      group = udf(stage, DataTypes.StringType).apply(element_at(col("tags"), SparkStages.TAG));
    } else if (by.startsWith("tag:")) {
      group = element_at(col("tags"), by.substring("tag:".length()));
    } else {
      throw new IllegalArgumentException(
          "--by " + by + ": one of all, service, host, stage, tag:NAME");
    }
    return coalesce(group, lit(NONE));
  }

  /** What could not be read, once {@link #by} has answered. */
  Set<String> damages() {
    return damages;
  }

  /** The profiles of each group, by its name. */
  Map<String, Profiles> by(String by) {
    Dataset<Row> sums =
        samples
            .filter("kind is not null")
            .groupBy(
                group(by).as("grouped"),
                col("kind"),
                coalesce(col("unit"), lit("count")).as("unit"),
                col("second_unit"),
                coalesce(col("stack_id"), lit(0L)).as("stack_id"))
            .agg(
                sum("value").as("value"),
                sum("second_value").as("second_value"),
                min("time_nanos").as("first"),
                max("time_nanos").as("last"))
            .cache();
    try {
      Map<String, Sums> groups = new TreeMap<>();
      Dictionary dictionary = new Dictionary();
      Map<Long, Integer> stacks = stacks(dictionary, sums);
      Dataset<Row> ordered = sums.orderBy("grouped", "kind", "unit", "second_unit", "stack_id");
      for (Iterator<Row> rows = ordered.toLocalIterator(); rows.hasNext(); ) {
        Row row = rows.next();
        groups.computeIfAbsent(row.getString(0), any -> new Sums()).add(row, stacks);
      }
      Map<String, Profiles> profiles = new LinkedHashMap<>();
      groups.forEach((name, group) -> profiles.put(name, group.profiles(dictionary, by, name)));
      return profiles;
    } finally {
      sums.unpersist();
    }
  }

  private Map<Long, Integer> stacks(Dictionary dictionary, Dataset<Row> sums) {
    Dataset<Row> wanted = sums.select("stack_id").distinct().withColumn("wanted", lit(true));
    Dataset<Row> needed =
        frames
            .withColumn("damage", concat(col("recording"), lit(": "), col(TableShape.CORRUPT)))
            .join(wanted, wanted.col("stack_id").equalTo(frames.col("stack_id")), "left_outer")
            .filter("wanted or damage is not null")
            .select(
                frames.col("stack_id"),
                col("depth"),
                col("function"),
                col("file"),
                col("line"),
                col("type"),
                col("damage"))
            .dropDuplicates("stack_id", "depth", "damage")
            .orderBy("stack_id", "depth");
    Map<Long, Integer> stacks = new HashMap<>();
    stacks.put(0L, 0);
    List<Integer> locations = new ArrayList<>();
    long stack = 0;
    for (Iterator<Row> rows = needed.toLocalIterator(); rows.hasNext(); ) {
      Row row = rows.next();
      if (!row.isNullAt(6)) {
        damages.add(row.getString(6));
        continue;
      }
      if (row.getLong(0) != stack) {
        put(dictionary, stacks, stack, locations);
        stack = row.getLong(0);
      }
      locations.add(location(dictionary, row));
    }
    put(dictionary, stacks, stack, locations);
    return stacks;
  }

  private static void put(
      Dictionary dictionary, Map<Long, Integer> stacks, long stack, List<Integer> locations) {
    int[] frames = locations.stream().mapToInt(Integer::intValue).toArray();
    if (frames.length > 0) {
      stacks.put(stack, dictionary.stacks().intern(frames, 0, frames.length));
    }
    locations.clear();
  }

  private static int location(Dictionary dictionary, Row row) {
    int name = dictionary.strings().intern(text(row, 2));
    int file = dictionary.strings().intern(text(row, 3));
    String type = row.isNullAt(5) ? null : row.getString(5);
    return dictionary
        .locations()
        .intern(
            dictionary.functions().intern(name, 0, file, 0),
            row.isNullAt(4) ? 0 : row.getLong(4),
            type == null ? 0 : dictionary.frameType(type));
  }

  private static String text(Row row, int column) {
    return row.isNullAt(column) ? "" : row.getString(column);
  }

  private static Map<String, ProfileType> types() {
    Map<String, ProfileType> types = new HashMap<>();
    for (EventKind kind : Kinds.all()) {
      kind.profileTypes().forEach(type -> types.put(type.name(), type));
      ProfileType live = kind.live();
      if (live != null) {
        types.put(live.name(), live);
      }
    }
    return types;
  }

  /** The sums of one group. */
  private static final class Sums {
    private final Map<Key, Samples> samples = new LinkedHashMap<>();
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    private record Key(String kind, String unit, @Nullable String secondUnit) {}

    void add(Row row, Map<Long, Integer> stacks) {
      Key key =
          new Key(row.getString(1), row.getString(2), row.isNullAt(3) ? null : row.getString(3));
      Samples sums =
          samples.computeIfAbsent(key, any -> Samples.summed(any.secondUnit() == null ? 1 : 2));
      first = Math.min(first, row.getLong(7));
      last = Math.max(last, row.getLong(8));
      Integer stack = stacks.get(row.getLong(4));
      if (stack == null) {
        throw new IllegalStateException("frames has no stack_id " + row.getLong(4));
      }
      if (key.secondUnit() == null) {
        sums.add(stack, 0, 0, row.getLong(5));
      } else {
        sums.add(stack, 0, 0, row.getLong(5), row.isNullAt(6) ? 0 : row.getLong(6));
      }
    }

    Profiles profiles(Dictionary dictionary, String by, String group) {
      Profiles profiles = new Profiles(dictionary).madeBy("org.buftrail.spark");
      if (by.equals("service")) {
        profiles.resource().put("service.name", group);
      }
      samples.forEach(
          (key, sums) -> {
            profiles.add(profile(key, key.unit(), sums, 0));
            if (key.secondUnit() != null) {
              profiles.add(profile(key, Objects.requireNonNull(key.secondUnit()), sums, 1));
            }
          });
      return profiles;
    }

    private Profile profile(Key key, String unit, Samples sums, int column) {
      ProfileType type = TYPES.get(key.kind());
      ValueType known = type == null ? null : column == 0 ? type.first() : type.second();
      ValueType sampleType =
          known != null && known.unit().equals(unit) ? known : ValueType.of(key.kind(), unit);
      // Each recording may have been made with another period.
      return new Profile(key.kind(), sampleType, sums, column)
          .period(ValueType.of(key.kind(), "count"), 1)
          .range(first, last - first + 1);
    }
  }
}
