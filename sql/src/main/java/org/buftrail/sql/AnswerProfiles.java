package org.buftrail.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;

/** The stacks of an answer as profiles: one for each kind, added up by stack. */
final class AnswerProfiles {
  /** Where the rows of the query are afterwards. */
  static final String ANSWER = "buftrail_answer";

  private static final Set<String> NEEDED = new TreeSet<>(Set.of("kind", "stack_id", "value"));

  private final Dictionary dictionary = new Dictionary();
  private final Map<Long, Integer> stacks = new HashMap<>();
  private final Map<String, Samples> samples = new LinkedHashMap<>();
  private final Map<String, String> units = new HashMap<>();
  private final Connection connection;

  AnswerProfiles(Connection connection) {
    this.connection = connection;
    stacks.put(0L, 0);
  }

  /**
   * The profiles of a query's rows.
   *
   * @throws CommandFailure if it lacks columns that are needed
   */
  Profiles of(String query) throws SQLException, CommandFailure {
    answer(query);
    Set<String> columns = columns();
    Set<String> missing = new TreeSet<>(NEEDED);
    missing.removeAll(columns);
    if (!missing.isEmpty()) {
      throw new CommandFailure(
          "--flame needs the columns kind, stack_id and value, which samples has; the query's rows"
              + " lack "
              + String.join(", ", missing));
    }
    String unit = columns.contains("unit") ? "any_value(unit)" : "NULL";
    boolean timed = columns.contains("time");
    String from = timed ? "epoch_ns(min(min(time)) OVER ())" : "1";
    String to = timed ? "epoch_ns(max(max(time)) OVER ())" : "1";
    readFrames();
    long start = 1;
    long end = 1;
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT kind, coalesce(stack_id, 0), sum(value)::BIGINT, "
                    + unit
                    + ", "
                    + from
                    + ", "
                    + to
                    + " FROM "
                    + ANSWER
                    + " GROUP BY kind, coalesce(stack_id, 0) ORDER BY 1, 2")) {
      while (rows.next()) {
        String kind = String.valueOf(rows.getString(1));
        int stack = stack(rows.getLong(2));
        samples.computeIfAbsent(kind, any -> Samples.summed(1)).add(stack, 0, 0, rows.getLong(3));
        String known = rows.getString(4);
        units.putIfAbsent(kind, known == null ? "count" : known);
        start = Math.max(1, rows.getLong(5));
        end = Math.max(start, rows.getLong(6));
      }
    }
    return profiles(start, end - start + 1);
  }

  private Profiles profiles(long start, long duration) {
    Profiles profiles = new Profiles(dictionary).madeBy("org.buftrail.sql");
    samples.forEach(
        (kind, values) -> {
          ValueType type =
              ValueType.of(kind, Objects.requireNonNull(units.getOrDefault(kind, "count")));
          profiles.add(
              new Profile(kind, type, values, 0)
                  .period(ValueType.of(kind, "count"), 1)
                  .range(start, duration));
        });
    return profiles;
  }

  private int stack(long id) throws CommandFailure {
    Integer stack = stacks.get(id);
    if (stack == null) {
      throw new CommandFailure(
          "--flame: frames has no stack_id " + id + "; take stack_id from samples as it is");
    }
    return stack;
  }

  /** Keeps the rows: a query that samples or limits has others each time. */
  private void answer(String query) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // The line break ends a comment.
      statement.execute(
          "CREATE OR REPLACE TEMP TABLE "
              + ANSWER
              + " AS SELECT * FROM ("
              + query
              + "\n) AS answer");
    }
  }

  private Set<String> columns() throws SQLException {
    Set<String> columns = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery("FROM " + ANSWER + " LIMIT 0")) {
      ResultSetMetaData described = none.getMetaData();
      for (int i = 1; i <= described.getColumnCount(); i++) {
        columns.add(described.getColumnLabel(i));
      }
    }
    return columns;
  }

  private void readFrames() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT stack_id, function, file, line, type FROM frames WHERE stack_id IN (SELECT"
                    + " stack_id FROM "
                    + ANSWER
                    + ") ORDER BY stack_id, depth")) {
      List<Integer> locations = new ArrayList<>();
      long stack = 0;
      while (rows.next()) {
        if (rows.getLong(1) != stack) {
          put(stack, locations);
          locations.clear();
          stack = rows.getLong(1);
        }
        locations.add(location(rows));
      }
      put(stack, locations);
    }
  }

  private int location(ResultSet rows) throws SQLException {
    String function = rows.getString(2);
    String file = rows.getString(3);
    String type = rows.getString(5);
    int name = dictionary.strings().intern(function == null ? "" : function);
    int source = dictionary.strings().intern(file == null ? "" : file);
    return dictionary
        .locations()
        .intern(
            dictionary.functions().intern(name, 0, source, 0),
            rows.getLong(4),
            type == null ? 0 : dictionary.frameType(type));
  }

  private void put(long stack, List<Integer> locations) {
    int[] frames = locations.stream().mapToInt(Integer::intValue).toArray();
    if (frames.length > 0) {
      stacks.put(stack, dictionary.stacks().intern(frames, 0, frames.length));
    }
  }
}
