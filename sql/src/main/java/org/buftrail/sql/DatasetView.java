package org.buftrail.sql;

import java.util.List;
import org.buftrail.jfr.dataset.DatasetLayout;

/**
 * The tables as queries over the files of datasets. Columns that views have parameters of the same
 * name for are named with their table, since views with parameters read these.
 */
final class DatasetView {
  private static final String PROCESS =
      "recording, nullif(files.service, '"
          + DatasetLayout.NO_SERVICE
          + "') AS service, host, process, ";
  private static final String TIME = "make_timestamp_ns(time_nanos) AS time, ";

  private DatasetView() {}

  /**
   * A table of datasets of this version.
   *
   * @param globs of the files, as literals
   */
  static String of(String table, List<String> globs) {
    String files =
        " FROM read_parquet("
            + globs
            + ", hive_partitioning = true, hive_types_autocast = false) AS files"
            + " WHERE "
            + DatasetLayout.ROW
            + " = ";
    return switch (table) {
      case DatasetLayout.SAMPLES ->
          "SELECT "
              + PROCESS
              + "kind, event, "
              + TIME
              + "value, unit, second_value, second_unit, files.thread, state, span, trace, tags,"
              + " stack_id, event_id, day"
              + files
              + Database.quoted(DatasetLayout.SAMPLE);
      case DatasetLayout.EVENTS ->
          "SELECT "
              + PROCESS
              + "event, "
              + TIME
              + "duration, files.thread, stack_id, fields, event_id, span, trace, tags, day"
              + files
              + Database.quoted(DatasetLayout.EVENT);
      default ->
          // Each recording brings its stacks, which others may have too.
          "SELECT DISTINCT stack_id, depth, function, file, line, type, module"
              + files
              + Database.quoted(DatasetLayout.FRAME);
    };
  }

  /** A table of datasets of the first version. */
  static String ofFirst(String table, List<String> globs) {
    boolean isParted = !table.equals(DatasetLayout.FRAMES);
    return "SELECT "
        + (isParted
            ? "* REPLACE (nullif(files.service, '" + DatasetLayout.NO_SERVICE + "') AS service)"
            : "DISTINCT *")
        + " FROM read_parquet("
        + globs
        + (isParted ? ", hive_partitioning = true, hive_types_autocast = false)" : ")")
        + " AS files";
  }
}
