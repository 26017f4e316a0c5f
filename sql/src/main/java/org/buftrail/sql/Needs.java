package org.buftrail.sql;

import static org.buftrail.jfr.dataset.DatasetLayout.EVENTS;
import static org.buftrail.jfr.dataset.DatasetLayout.FRAMES;
import static org.buftrail.jfr.dataset.DatasetLayout.SAMPLES;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.buftrail.jfr.rows.SampleColumn;
import org.jspecify.annotations.Nullable;

/**
 * What of the tables a query reads, as DuckDB's own plan of it says: the columns that scans of
 * {@code samples} project and filter by, the kinds that they are restricted to, and whether {@code
 * frames} is read. Whatever the plan leaves open is needed.
 *
 * @param columns of samples
 * @param kinds all that may be asked for; null for any
 * @param samples whether samples are read at all
 * @param frames whether frames are
 * @param events types of other events; null for any, empty for none
 */
record Needs(
    Set<SampleColumn> columns,
    @Nullable Set<String> kinds,
    boolean samples,
    boolean frames,
    @Nullable Set<String> events) {
  static final Needs ALL = new Needs(SampleColumn.ALL, null, true, true, null);
  static final Needs NOTHING = new Needs(Set.of(), Set.of(), false, false, Set.of());

  private static final Pattern TABLE = Pattern.compile("\"Table\": \"[^\"]*\\.(\\w+)\"");
  private static final Pattern SCAN =
      Pattern.compile("\\{[^{}]*" + scanOf(SAMPLES, FRAMES, EVENTS) + "[^{}]*\\}");
  private static final String NAME = "'([^'\"\\\\]*)'";
  private static final Pattern NAMED = Pattern.compile(NAME);

  Needs {
    columns = Set.copyOf(columns);
    kinds = kinds == null ? null : Set.copyOf(kinds);
    events = events == null ? null : Set.copyOf(events);
  }

  /**
   * What a statement needs.
   *
   * @throws SQLException if it cannot be planned: it is wrong, or no single query
   */
  static Needs of(String query, Connection connection) throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(Database.EXPLAIN + query)) {
      while (rows.next()) {
        plan.append(rows.getString(2));
      }
    }
    return ofPlan(plan.toString());
  }

  static Needs ofPlan(String plan) {
    int tables = 0;
    Matcher named = TABLE.matcher(plan);
    while (named.find()) {
      tables += DatasetLayout.TABLES.contains(named.group(1)) ? 1 : 0;
    }
    Needs all = NOTHING;
    int scans = 0;
    Matcher scan = SCAN.matcher(plan);
    while (scan.find()) {
      all = all.and(ofScan(scan.group(1), scan.group()));
      scans++;
    }
    // A plan without a table may be one of tables that DuckDB knows to be empty.
    boolean isWhole = scans == tables && !plan.contains("EMPTY_RESULT");
    if (!isWhole) {
      return ALL;
    }
    // Frames apart from samples and events are those of all.
    return all.frames && !isJoined(plan) ? new Needs(all.columns, null, true, true, null) : all;
  }

  /**
   * Whether frames can only come out beside samples or events, so that those of others are not.
   * What a file or another table is joined with may be any.
   */
  private static boolean isJoined(String plan) {
    long beside = count(scanOf(SAMPLES, EVENTS), plan);
    long frames = count(scanOf(FRAMES), plan);
    boolean hasOthers =
        plan.contains("\"Function\": ") || count("\"Table\": ", plan) > beside + frames;
    if (beside == 0 || hasOthers) {
      return false;
    }
    long byStack = count("stack_id = stack_id", plan);
    long joins = count("\"Join Type\"", plan);
    long inner = count("\"Join Type\": \"(INNER|SEMI)\"", plan);
    return byStack >= frames && joins == inner;
  }

  /** A plan's entry for a scan of one of these tables. */
  private static String scanOf(String... tables) {
    return "\"Table\": \"[^\"]*\\.(" + String.join("|", tables) + ")\"";
  }

  private static long count(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().count();
  }

  private static Needs ofScan(String table, String scan) {
    if (table.equals(FRAMES)) {
      return new Needs(EnumSet.of(SampleColumn.STACK_ID), Set.of(), true, true, Set.of());
    }
    if (table.equals(EVENTS)) {
      return new Needs(columns(scan), Set.of(), false, false, named("event", scan));
    }
    return new Needs(columns(scan), named("kind", scan), true, false, Set.of());
  }

  private static Set<SampleColumn> columns(String scan) {
    Set<SampleColumn> columns = EnumSet.noneOf(SampleColumn.class);
    for (SampleColumn column : SampleColumn.values()) {
      if (Pattern.compile("\\b" + column.title() + "\\b").matcher(scan).find()) {
        columns.add(column);
      }
    }
    return columns;
  }

  /**
   * The values that a scan restricts a column to; null if it does not. Filters are joined by "and",
   * each a text of its own, so one is a restriction only if it is the whole text: the same words
   * may also be a part of an "or" or a "not".
   */
  private static @Nullable Set<String> named(String column, String scan) {
    String list = NAME + "(?:, " + NAME + ")*";
    String filter = "\\(" + column + " (?:= " + NAME + "|IN \\(" + list + "\\))\\)";
    Matcher whole = Pattern.compile("(?<!\\\\)\"(?:optional: )?" + filter + "\"").matcher(scan);
    if (!whole.find()) {
      return null;
    }
    Set<String> names = new HashSet<>();
    Matcher name = NAMED.matcher(whole.group());
    while (name.find()) {
      names.add(name.group(1));
    }
    return names;
  }

  /** With the stacks of the rows that are read. */
  Needs withFrames() {
    Set<SampleColumn> more = new HashSet<>(columns);
    more.add(SampleColumn.STACK_ID);
    return new Needs(more, kinds, true, true, events);
  }

  /** What both need together. */
  Needs and(Needs other) {
    Set<SampleColumn> both = new HashSet<>(columns);
    both.addAll(other.columns);
    return new Needs(
        both,
        both(kinds, other.kinds),
        samples || other.samples,
        frames || other.frames,
        both(events, other.events));
  }

  private static @Nullable Set<String> both(
      @Nullable Set<String> mine, @Nullable Set<String> others) {
    if (mine == null || others == null) {
      return null;
    }
    Set<String> all = new HashSet<>(mine);
    all.addAll(others);
    return all;
  }

  private static boolean covers(@Nullable Set<String> mine, @Nullable Set<String> others) {
    return mine == null || (others != null && mine.containsAll(others));
  }

  /** Whether what has been read for this will do for another. */
  boolean covers(Needs other) {
    return columns.containsAll(other.columns)
        && (samples || !other.samples)
        && (frames || !other.frames)
        && covers(kinds, other.kinds)
        && covers(events, other.events);
  }
}
