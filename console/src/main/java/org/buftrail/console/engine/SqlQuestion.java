package org.buftrail.console.engine;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question about recordings.
 *
 * @param query in SQL; null for a prompt
 * @param inputs files, directories and globs
 * @param table a file that takes the answer as a table: Parquet, CSV or JSON; null to print it
 * @param profile a file that takes the answer as profiles: a page, pprof, OTLP; null for none
 * @param lenient whether what could not be read lets the command fail all the same
 * @param readOnly whether queries alone are answered, which reach no file but the inputs
 */
public record SqlQuestion(
    @Nullable String query,
    List<Path> inputs,
    @Nullable String table,
    @Nullable String profile,
    boolean lenient,
    boolean readOnly) {
  /** A question that may do whatever the engine can. */
  public SqlQuestion(
      @Nullable String query,
      List<Path> inputs,
      @Nullable String table,
      @Nullable String profile,
      boolean lenient) {
    this(query, inputs, table, profile, lenient, false);
  }
}
