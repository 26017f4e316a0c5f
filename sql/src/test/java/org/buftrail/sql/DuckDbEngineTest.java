package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.console.engine.SqlQuestion;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.jfr.rows.SampleColumn;
import org.buftrail.profile.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DuckDbEngineTest {
  private static final String SUMS =
      "select kind, sum(value)::bigint, coalesce(sum(second_value), 0)::bigint from samples group"
          + " by kind order by kind";

  @TempDir private Path directory;

  private static List<List<String>> converted(Path file) throws IOException {
    TreeMap<String, long[]> sums = new TreeMap<>();
    for (Profile profile :
        new Converter(Options.DEFAULT.timestamps(true))
            .convert(List.of(file))
            .profiles()
            .profiles()) {
      sums.computeIfAbsent(profile.name(), any -> new long[2])[profile.column()] += profile.total();
    }
    List<List<String>> rows = new ArrayList<>();
    sums.forEach((kind, sum) -> rows.add(List.of(kind, "" + sum[0], "" + sum[1])));
    return rows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdk11", "jdk25", "async-profiler", "killed-17", "dd-500-50-100"})
  void sumsAreThoseOfTheConverter(String name) throws IOException {
    Path file = Answer.recording(name);
    assertThat(Answer.to(SUMS, file).rows()).isEqualTo(converted(file)).isNotEmpty();
    // With stacks read as well.
    Answer joined =
        Answer.to(
            "select kind, sum(value)::bigint, coalesce(sum(second_value), 0)::bigint from (select"
                + " * from samples left join (select distinct stack_id from frames) using"
                + " (stack_id)) group by kind order by kind",
            file);
    assertThat(joined.rows()).isEqualTo(converted(file));
  }

  @Test
  void planSaysWhatHasToBeRead() throws Exception {
    try (Database database = new Database(List.of())) {
      Needs count = Needs.of("select count(*) from samples", database.connection());
      assertThat(count.columns()).isEmpty();
      assertThat(count.frames()).isFalse();
      assertThat(count.kinds()).isNull();
      Needs filtered =
          Needs.of(
              "select sum(value) from samples where kind = 'cpu' and tags['a'] = 'b' and time >"
                  + " '2026-01-01'",
              database.connection());
      assertThat(filtered.kinds()).containsExactly("cpu");
      assertThat(filtered.columns())
          .contains(SampleColumn.VALUE, SampleColumn.TAGS, SampleColumn.TIME)
          .doesNotContain(SampleColumn.STACK_ID, SampleColumn.THREAD);
      Needs hot = Needs.of("from hot_methods", database.connection());
      assertThat(hot.frames()).isTrue();
      assertThat(hot.kinds()).isEqualTo(Set.of("cpu", "cpu_time", "cpu_datadog"));
      assertThat(Needs.of("from gc_pauses", database.connection()).kinds())
          .containsExactly("gc_pause");
      // Frames that come out beside no sample are those of all samples.
      Needs apart =
          Needs.of(
              "select (select count(*) from samples where kind = 'cpu'), (select count(*) from"
                  + " frames)",
              database.connection());
      assertThat(apart.kinds()).isNull();
      Needs others =
          Needs.of(
              "select fields['name'] from events where event = 'jdk.ActiveSetting'",
              database.connection());
      assertThat(others.events()).containsExactly("jdk.ActiveSetting");
      assertThat(others.samples()).isFalse();
      assertThat(hot.events()).isEmpty();
      assertThat(Needs.of("from allocation_by_class", database.connection()).frames()).isFalse();
    }
  }

  @Test
  void anAnswerDoesNotHangOnWhatIsLeftOut() throws IOException {
    Path file = Answer.recording("jdk21");
    String count = "select count(*) from frames";
    String all = Answer.to(count, file).rows().get(0).get(0);
    Answer apart =
        Answer.to(
            "select (select count(*) from samples where kind = 'cpu') > 0, (" + count + ")", file);
    assertThat(apart.rows().get(0)).containsExactly("true", all);
    assertThat(Long.parseLong(all)).isGreaterThan(100);
  }

  @Test
  void filesThatCannotBeReadCostThemselvesAndAreNamed() throws IOException {
    Path good = Answer.unpacked("jdk21", directory);
    byte[] bytes = Files.readAllBytes(good);
    Files.write(directory.resolve("cut.jfr"), Arrays.copyOf(bytes, bytes.length / 2));
    Files.writeString(directory.resolve("text.jfr"), "no recording");
    Files.write(directory.resolve("empty.jfr"), new byte[0]);
    Path gone = Files.createSymbolicLink(directory.resolve("gone.jfr"), Path.of("nowhere.jfr"));
    String query =
        "select count(*) from samples where kind = 'cpu' and recording like '%jdk21.jfr'";
    String expected = Answer.to(query, good).rows().get(0).get(0);

    Answer answer = Answer.to(query, directory, gone);

    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.rows().get(0)).containsExactly(expected);
    assertThat(answer.err())
        .contains("cut.jfr")
        .contains("text.jfr")
        .contains("empty.jfr")
        .contains("gone.jfr")
        .doesNotContain("jdk21.jfr");
    Answer lenient = Answer.to(new SqlQuestion(query, List.of(directory), null, null, true));
    assertThat(lenient.exit()).isZero();
  }

  /** A bad input fails the whole wherever it stands; what the others hold is answered. */
  @ParameterizedTest
  @CsvSource({
    "good, false, 0, true",
    "bad good, false, 1, true",
    "good bad, false, 1, true",
    "good bad good, false, 1, true",
    "bad bad, false, 1, false",
    "missing good, false, 1, true",
    "good missing, false, 1, true",
    "cut good, false, 1, true",
    "good cut, true, 0, true",
    "bad good, true, 0, true",
  })
  void exitCode(String names, boolean lenient, int exit, boolean answered) throws IOException {
    Path good = Answer.unpacked("jdk21", directory);
    byte[] bytes = Files.readAllBytes(good);
    Files.write(directory.resolve("cut.jfr"), Arrays.copyOf(bytes, bytes.length / 2));
    Files.writeString(directory.resolve("bad.jfr"), "no recording");
    List<Path> inputs = new ArrayList<>();
    for (String name : names.split(" ", -1)) {
      inputs.add(name.equals("good") ? good : directory.resolve(name + ".jfr"));
    }
    String query = "select count(*) > 0 from samples where recording like '%jdk21.jfr'";
    Answer answer = Answer.to(new SqlQuestion(query, inputs, null, null, lenient));
    assertThat(answer.exit()).as(answer.err()).isEqualTo(exit);
    if (answered) {
      assertThat(answer.rows()).isEqualTo(List.of(List.of("true")));
    }
  }

  @Test
  void answersBecomeFiles() throws IOException {
    Path file = Answer.recording("jdk21");
    String query = "select kind, value from samples where kind = 'cpu'";
    String count = Answer.to("select count(*) from (" + query + ")", file).rows().get(0).get(0);
    for (String ending : List.of("parquet", "csv", "json")) {
      Path out = directory.resolve("out." + ending);
      Answer answer = Answer.to(new SqlQuestion(query, List.of(file), out.toString(), null, false));
      assertThat(answer.exit()).as(answer.err()).isZero();
      Answer back = Answer.to("select count(*), any_value(kind) from '" + out + "'", file);
      assertThat(back.rows().get(0)).as(back.err()).containsExactly(count, "cpu");
    }
    assertThatThrownBy(
            () -> Answer.to(new SqlQuestion(query, List.of(file), "out.xls", null, false)))
        .isInstanceOf(WrongUsage.class)
        .hasMessageContaining(".parquet, .csv or .json");
    try (var left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()).toList())
          .containsExactlyInAnyOrder("out.parquet", "out.csv", "out.json");
    }
  }

  /** Collapsed stacks, and what each stands for. */
  private static List<List<String>> stacks(Path collapsed) throws IOException {
    List<List<String>> stacks = new ArrayList<>();
    for (String line : Files.readAllLines(collapsed)) {
      int space = line.lastIndexOf(' ');
      stacks.add(List.of(line.substring(0, space), line.substring(space + 1)));
    }
    return stacks;
  }

  private static long sum(Path collapsed) throws IOException {
    long sum = 0;
    for (String line : Files.readAllLines(collapsed)) {
      assertThat(line).doesNotStartWith(" ");
      sum += Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }
    return sum;
  }

  @Test
  void stacksOfAnAnswerBecomeAFlameGraph() throws IOException {
    Path file = Answer.recording("jdk21");
    Path flame = directory.resolve("flame.collapsed");
    String query = "from samples where kind = 'cpu'";
    Answer answer = Answer.to(new SqlQuestion(query, List.of(file), null, flame.toString(), false));
    assertThat(answer.exit()).as(answer.err()).isZero();
    long sum = sum(flame);
    assertThat(sum).isPositive();
    assertThat(converted(file)).contains(List.of("cpu", "" + sum, "0"));

    // Each run of this has other rows; a comment may end it.
    Path other = Answer.recording("jdk25");
    Answer sampled =
        Answer.to(
            new SqlQuestion(
                "from samples where kind = 'cpu' order by random() limit 50 -- some",
                List.of(other),
                directory.resolve("some.csv").toString(),
                flame.toString(),
                false));
    assertThat(sampled.exit()).as(sampled.err()).isZero();
    assertThat(sum(flame)).isEqualTo(50);
    // Both are of one answer, although each run of the query has another.
    Answer written =
        Answer.to(
            "select stack, sum(value)::bigint from '"
                + directory.resolve("some.csv")
                + "' join (select stack_id, string_agg(function, ';' order by depth desc) as stack"
                + " from frames group by stack_id) using (stack_id) group by stack",
            other);
    assertThat(written.rows())
        .as(written.err())
        .hasSizeGreaterThan(1)
        .containsExactlyInAnyOrderElementsOf(stacks(flame));

    Answer unknown =
        Answer.to(
            new SqlQuestion(
                "select kind, 42 as stack_id, value from samples",
                List.of(file),
                null,
                flame.toString(),
                false));
    assertThat(unknown.err()).contains("frames has no stack_id 42");

    Answer lacking =
        Answer.to(
            new SqlQuestion(
                "select kind from samples", List.of(file), null, flame.toString(), false));
    assertThat(lacking.exit()).isEqualTo(1);
    assertThat(lacking.err()).contains("lack stack_id, value");
  }

  @Test
  void aLargeAnswerKeepsItsOrderBesideAFlameGraph() throws IOException {
    Path out = directory.resolve("ordered.csv");
    Answer answer =
        Answer.to(
            new SqlQuestion(
                // Each number once.
                "select range * 7919 % 200000 as n, 'cpu' as kind, 0 as stack_id, 1 as value"
                    + " from range(200000) order by n",
                List.of(Answer.recording("jdk21")),
                out.toString(),
                directory.resolve("flame.collapsed").toString(),
                false));
    assertThat(answer.exit()).as(answer.err()).isZero();
    List<String> rows = Files.readAllLines(out);
    assertThat(rows).hasSize(200_001);
    for (int i = 0; i < 200_000; i++) {
      assertThat(rows.get(i + 1)).isEqualTo(i + ",cpu,0,1");
    }
  }

  @Test
  void otherEventsHaveTheirFields() throws IOException {
    Path file = Answer.recording("jdk21");
    String query =
        "select count(*), count(distinct fields['name']) from events where event ="
            + " 'jdk.ActiveSetting'";
    long settings = 0;
    Set<String> names = new HashSet<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(Answer.unpacked("jdk21", directory))) {
      if (event.getEventType().getName().equals("jdk.ActiveSetting")) {
        settings++;
        names.add(event.getString("name"));
      }
    }
    assertThat(Answer.to(query, file).rows().get(0))
        .containsExactly("" + settings, "" + names.size());
    Answer both =
        Answer.to(
            "select (select count(*) from samples where kind = 'cpu') > 0, ("
                + query.replace(", count(distinct fields['name'])", "")
                + ")",
            file);
    assertThat(both.rows().get(0)).containsExactly("true", "" + settings);
  }

  @Test
  void whatRecordingsLackIsANote() throws IOException {
    byte[] bytes = Files.readAllBytes(Answer.unpacked("jdk-50-10-100", directory));
    // The number of a stack trace that an event names.
    bytes[248] ^= 0x40;
    Path all = Files.createDirectories(directory.resolve("all"));
    for (int i = 0; i < 12; i++) {
      Files.write(all.resolve("lacks" + i + ".jfr"), bytes);
    }
    String query = "select count(*), count(stack_id) from samples";
    Answer one = Answer.to(query, all.resolve("lacks0.jfr"));
    assertThat(one.exit()).as(one.err()).isZero();
    assertThat(one.rows().get(0)).containsExactly("50", "49");
    assertThat(one.err())
        .contains(
            "note: "
                + all.resolve("lacks0.jfr")
                + ": not in the recording, because its JVM did not write them: the stack traces"
                + " of 1 of 50 jdk.ExecutionSample events (2.0 %)");
    Answer many = Answer.to(query, all);
    assertThat(many.exit()).as(many.err()).isZero();
    assertThat(many.err().lines().filter(line -> line.contains("note: "))).hasSize(11);
    assertThat(many.err()).contains("note: 2 more such notes");
  }

  @Test
  void aWrongQueryIsOneLine() throws IOException {
    Answer answer = Answer.to("select nothing from samples", Answer.recording("jdk21"));
    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err().lines()).hasSize(1);
    assertThat(answer.err()).contains("nothing");
  }

  @Test
  void rowsArePrintedAsTheyCome() throws IOException {
    // One of two million rows fails, when many megabytes have come.
    String query =
        "select range, repeat('x', 99), if(range < 100000, 0, error('row ' || range))"
            + " from range(2000000)";
    Answer answer = Answer.to(query, Answer.recording("jdk21"));
    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err().lines()).singleElement().asString().contains("row 100000");
    assertThat(answer.out()).startsWith("range");
    assertThat(answer.out().lines()).hasSizeGreaterThan(1000);
  }

  @Test
  void thePromptTakesQueriesOverSeveralLines() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    String lines =
        "select count(*) as n\nfrom samples where kind = 'cpu';\nselect wrong;\nfrom hot_methods"
            + " limit 1;\ncreate view mine as select 42 as answer;\nfrom mine;\n"
            + ".tables\nfrom hot_method;\n.quit\n";
    try (Database database = new Database(List.of(Answer.recording("jdk21")))) {
      Prompt prompt = new Prompt(database, List.of(), terminal);
      int exit =
          prompt.run(
              prompt.plain(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8))));
      assertThat(exit).isEqualTo(1);
    }
    String count =
        Answer.to("select count(*) from samples where kind = 'cpu'", Answer.recording("jdk21"))
            .rows()
            .get(0)
            .get(0);
    List<String> printed = out.toString(StandardCharsets.UTF_8).lines().map(String::strip).toList();
    assertThat(printed.subList(0, 2)).containsExactly("n", count);
    assertThat(printed).contains("answer", "42", "samples", "mine");
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .anyMatch(line -> line.contains("wrong"))
        .anyMatch(line -> line.contains("exist! Did you mean \"hot_methods\"?"))
        .anyMatch(line -> line.startsWith("LINE 1: from hot_method"));
  }
}
