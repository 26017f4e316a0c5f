package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.buftrail.console.engine.SqlQuestion;
import org.buftrail.console.output.Terminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is left out for a query, its answer is as if nothing were. */
final class NeedsTest {
  private static final Path FILE = Answer.recording("jdk21");

  private static String answerOfAll(String query) throws IOException, SQLException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
    try (Database database = new Database(List.of())) {
      database.load(List.of(FILE), Needs.ALL);
      DuckDbEngine.print(query, database, new Terminal(printed, printed));
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static void check(String query) throws IOException, SQLException {
    Answer answer = Answer.to(query, FILE);
    assertThat(answer.err()).isEmpty();
    assertThat(answer.out()).isEqualTo(answerOfAll(query));
    assertThat(answer.rows()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kind = 'cpu'",
        "kind in ('cpu', 'gc_pause')",
        "kind = 'cpu' and value > 0",
        "kind = 'cpu' or kind = 'gc_pause'",
        "kind = 'cpu' or kind like 'alloc%'",
        "kind = 'cpu' or kind is null",
        "kind = 'cpu' or value > 0",
        "(kind = 'cpu') is not true",
        "not (kind = 'cpu')",
        "kind <> 'cpu'",
        "kind not in ('cpu', 'gc_pause')",
        "kind in ('cpu', 'gc_pause') or kind like 'alloc%'",
        "case when kind = 'cpu' then false else true end",
        "case when kind in ('cpu', 'gc_pause') then false else true end",
        "thread = '(kind IN (x))' or kind = 'cpu'",
        "thread <> '(kind = ''gc_pause'')'",
        "thread <> '\"(kind = ''gc_pause'')\"'",
        "thread not in ('\"(kind = ''gc_pause'')\"', 'a')",
      })
  void conditionsOnKindsHold(String condition) throws Exception {
    check(
        "select kind, count(*), sum(value)::bigint from samples where "
            + condition
            + " group by all order by all");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "event = 'jdk.ActiveSetting'",
        "event in ('jdk.ActiveSetting', 'jdk.JVMInformation')",
        "event in ('jdk.ActiveSetting', 'jdk.JVMInformation') or event like 'jdk.GC%'",
        "event = 'jdk.ActiveSetting' or event like 'jdk.GC%'",
        "(event = 'jdk.ActiveSetting') is not true",
        "event <> 'jdk.ActiveSetting'",
      })
  void conditionsOnEventsHold(String condition) throws Exception {
    check("select event, count(*) from events where " + condition + " group by all order by all");
  }

  @Test
  void aKindThatIsNamedIsAllThatIsRead() throws Exception {
    try (Database database = new Database(List.of())) {
      assertThat(Needs.of("from samples where kind in ('cpu', 'a')", database.connection()).kinds())
          .isEqualTo(Set.of("cpu", "a"));
      assertThat(
              Needs.of("from samples where kind = 'cpu' or kind = 'b'", database.connection())
                  .kinds())
          .satisfiesAnyOf(
              any -> assertThat(any).isNull(),
              both -> assertThat(both).isEqualTo(Set.of("cpu", "b")));
    }
  }

  @Test
  void tablesThatWereReadInPartAreReadAgain() throws Exception {
    String query = "select count(*) from samples where kind = 'cpu'";
    try (Database database = new Database(List.of(FILE))) {
      database.prepare(query, false);
      long before = number(database, query);
      assertThat(before).isPositive();
      database.execute("ALTER TABLE frames RENAME TO away");
      assertThatThrownBy(() -> database.prepare("from samples", false))
          .isInstanceOf(SQLException.class);
      database.execute("ALTER TABLE away RENAME TO frames");
      database.prepare(query, false);
      assertThat(number(database, query)).isEqualTo(before);
    }
  }

  @Test
  void stacksBesideAFileOrAListAreThoseOfAll(@TempDir Path directory) throws Exception {
    Path out = directory.resolve("stacks.parquet");
    String stacks = "select stack_id from samples where kind = 'alloc_sampled' limit 1";
    Answer written = Answer.to(new SqlQuestion(stacks, List.of(FILE), out.toString(), null, false));
    assertThat(written.exit()).as(written.err()).isZero();
    check("select depth, function from frames join '" + out + "' using (stack_id) order by all");
    check(
        "select depth, function, (select count(*) from samples where kind = 'cpu') from frames join"
            + " '"
            + out
            + "' using (stack_id) order by all");
    String id = Answer.to("from '" + out + "'", FILE).rows().get(0).get(0);
    check(
        "select depth, function from frames join (values ("
            + id
            + ")) as list(stack_id) using (stack_id) order by all");
  }

  private static long number(Database database, String query) throws SQLException {
    try (Statement statement = database.connection().createStatement();
        ResultSet row = statement.executeQuery(query)) {
      assertThat(row.next()).isTrue();
      return row.getLong(1);
    }
  }
}
