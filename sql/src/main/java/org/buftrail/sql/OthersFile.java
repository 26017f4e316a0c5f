package org.buftrail.sql;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.jspecify.annotations.Nullable;

/** A file of a dataset that another program wrote: DuckDB alone knows whether it can be read. */
final class OthersFile {
  /** What DuckDB says where the file is not at fault. */
  private static final Pattern OF_MACHINE =
      Pattern.compile(
          "^(Out of Memory|INTERRUPT)|No space left|Too many open files|Permission denied");

  private OthersFile() {}

  /** Has DuckDB read all of a file; returns what is wrong with it, or null. */
  static @Nullable String fault(Path file) throws IOException {
    String glob = Database.quoted(Database.literal(file.toString()));
    try (Database database = new Database(List.of());
        Statement statement = database.connection().createStatement()) {
      for (String table : DatasetLayout.TABLES) {
        String rows = DatasetView.of(table, List.of(glob));
        statement.execute("SELECT max(hash(each)) FROM (" + rows + ") AS each");
      }
      return null;
    } catch (SQLException e) {
      String said = Database.firstLine(e);
      if (isOfMachine(said)) {
        throw new IOException(said, e);
      }
      return "DuckDB says: " + said;
    }
  }

  /** Whether DuckDB could not read a file that may be sound. */
  static boolean isOfMachine(String said) {
    return OF_MACHINE.matcher(said).find();
  }
}
