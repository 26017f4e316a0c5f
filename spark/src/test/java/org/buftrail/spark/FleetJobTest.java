package org.buftrail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of the jobs, read by other programs where there are any. */
@Tag("spark")
final class FleetJobTest {
  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  private int run(Object... arguments) {
    return new FleetJob(spark)
        .run(Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
  }

  private static List<Path> files(Path below) throws IOException {
    try (Stream<Path> all = Files.walk(below)) {
      return all.filter(Files::isRegularFile).map(below::relativize).sorted().toList();
    }
  }

  /** By recording and kind, as DuckDB reads the dataset. */
  private static Map<String, Map<String, List<Long>>> sums(Path dataset) throws SQLException {
    Map<String, Map<String, List<Long>>> sums = new TreeMap<>();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select recording, kind, count(*), sum(value)::bigint,"
                    + " coalesce(sum(second_value), 0)::bigint from read_parquet('"
                    + dataset
                    + "/rows/**/*.parquet', hive_partitioning = true) where row = 'sample' group by"
                    + " all")) {
      while (rows.next()) {
        String file = String.valueOf(Path.of(rows.getString(1)).getFileName());
        sums.computeIfAbsent(file, any -> new TreeMap<>())
            .put(rows.getString(2), List.of(rows.getLong(3), rows.getLong(4), rows.getLong(5)));
      }
    }
    return sums;
  }

  private static List<List<String>> query(String query) throws SQLException {
    List<List<String>> answer = new ArrayList<>();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.add(rows.getString(i));
        }
        answer.add(row);
      }
    }
    return answer;
  }

  @Test
  void aDatasetHoldsEachRecordingOnce() throws Exception {
    Path in = Files.createDirectory(directory.resolve("in"));
    for (String name : List.of("jdk21", "jdk25", "async-profiler")) {
      Files.copy(Recordings.packed(name), in.resolve(name + ".jfr.gz"));
    }
    Path out = directory.resolve("out");

    assertThat(run("dataset", in, out)).isZero();
    List<Path> before = files(out);
    Map<String, Map<String, List<Long>>> expected = new TreeMap<>();
    for (Path file : files(in)) {
      expected.put(file.toString(), Recordings.converted(in.resolve(file)));
    }
    assertThat(sums(out)).isEqualTo(expected);
    assertThat(before)
        .noneMatch(file -> file.toString().contains(".part"))
        .noneMatch(file -> file.toString().endsWith(".crc"))
        .anyMatch(
            file ->
                file.toString()
                    .matches("rows/day=2\\d{3}-\\d\\d-\\d\\d/service=Load/[0-9a-f]{32}.parquet"));

    Files.copy(Recordings.packed("jdk21"), in.resolve("again.jfr.gz"));
    Files.copy(Recordings.packed("jdk11"), in.resolve("jdk11.jfr.gz"));
    assertThat(run("dataset", in, out)).isZero();
    expected.put("jdk11.jfr.gz", Recordings.converted(in.resolve("jdk11.jfr.gz")));
    assertThat(sums(out)).isEqualTo(expected);
    assertThat(files(out)).containsAll(before);
  }

  /** As users do, without a setting of Spark's. */
  @Test
  void sparkReadsTheFilesOfADatasetAsTheyAre() throws Exception {
    Path out = directory.resolve("out");
    assertThat(run("dataset", Recordings.packed("jdk21"), out)).isZero();
    Dataset<Row> rows = spark.read().parquet(out.resolve("rows").toString());
    Row sums =
        rows.filter("row = 'sample' and kind = 'cpu' and service = 'Load'")
            .selectExpr("count(*)", "sum(value)", "count(time)", "count(tags)")
            .first();
    assertThat(List.of(sums.get(0).toString(), sums.get(1).toString(), sums.get(2).toString()))
        .isEqualTo(
            query(
                    "select count(*), sum(value), count(time) from read_parquet('"
                        + out
                        + "/rows/**/*.parquet') where row = 'sample' and kind = 'cpu'")
                .get(0));
    assertThat(sums.getLong(3)).isEqualTo(sums.getLong(0)).isPositive();
    assertThat(rows.schema().apply("time").dataType()).isEqualTo(DataTypes.TimestampNTZType);
    String unknown =
        "select count(*) from read_parquet('"
            + out
            + "/rows/**/*.parquet') where row <> 'frame' and stack_id not in (select stack_id from"
            + " read_parquet('"
            + out
            + "/rows/**/*.parquet') where row = 'frame')";
    assertThat(query(unknown)).containsExactly(List.of("0"));
  }

  @Test
  void whatCannotBeReadIsNamedAndLeavesNothing() throws Exception {
    Path in = Files.createDirectory(directory.resolve("in"));
    Files.writeString(in.resolve("none.jfr"), "no recording at all");
    Recordings.joined(in.resolve("good.jfr"), "jdk21");
    Path out = directory.resolve("out");

    assertThat(run("dataset", in, out)).isEqualTo(1);
    assertThat(sums(out).keySet()).containsExactly("good.jfr");
    assertThat(files(out)).noneMatch(file -> file.toString().contains(".part"));
    assertThat(files(out.resolve("recordings"))).hasSize(1);
    assertThat(run("dataset", directory.resolve("gone"), out)).isEqualTo(1);
    assertThat(run("dataset", in, in)).isEqualTo(1);
    assertThat(
            new FleetDataset(out.toString(), new Configuration())
                .add(in.resolve("vanished.jfr").toString())
                .damages())
        .containsExactly("no such file");
  }

  private static Map<String, Long> totals(Profiles profiles) {
    Map<String, Long> totals = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      totals.merge(profile.name() + "/" + profile.column(), profile.total(), Long::sum);
    }
    return totals;
  }

  private static Map<String, String> types(Conversion conversion) {
    Map<String, String> types = new TreeMap<>();
    for (Profile profile : conversion.profiles().profiles()) {
      types.put(profile.name() + "/" + profile.column(), profile.sampleType().toString());
    }
    return types;
  }

  private static Map<String, Long> totals(Map<String, List<Long>> converted) {
    Map<String, Long> totals = new TreeMap<>();
    converted.forEach(
        (kind, sums) -> {
          totals.put(kind + "/0", sums.get(1));
          if (sums.get(2) != 0) {
            totals.put(kind + "/1", sums.get(2));
          }
        });
    return totals;
  }

  @Test
  void mergedProfilesHaveAllThatWasSampled() throws Exception {
    Path file = Recordings.packed("jdk21");
    Path dataset = directory.resolve("dataset");
    assertThat(run("dataset", file, dataset)).isZero();
    for (Path in : List.of(file, dataset)) {
      Path out = directory.resolve("out-" + in.getFileName());
      assertThat(run("profiles", in, out, "--by", "service", "--format", "otlp,html,pprof"))
          .isZero();
      assertThat(files(out))
          .contains(Path.of("Load.otlp"), Path.of("Load.html"), Path.of("Load.cpu.pb.gz"));
      assertThat(Files.size(out.resolve("Load.otlp"))).isPositive();
    }
    Map<String, Profiles> merged =
        new MergedProfiles(
                spark.read().format("jfr").load(file.toString()),
                spark.read().format("jfr").option("table", "frames").load(file.toString()))
            .by("all");
    assertThat(merged.keySet()).containsExactly("all");
    Profiles all = Objects.requireNonNull(merged.get("all"));
    Map<String, String> types = types(new Converter(Options.DEFAULT).convert(List.of(file)));
    assertThat(types).isNotEmpty();
    for (Profile profile : all.profiles()) {
      if (profile.total() != 0) {
        assertThat(types)
            .containsEntry(
                profile.name() + "/" + profile.column(), profile.sampleType().toString());
      }
      // In 2026, as the recording was made.
      assertThat(profile.time()).isBetween(1_760_000_000_000_000_000L, 1_800_000_000_000_000_000L);
      assertThat(profile.duration()).isBetween(1_000_000L, 3_600_000_000_000L);
    }
    Map<String, Long> totals = totals(all);
    totals.values().removeIf(total -> total == 0);
    assertThat(totals).isEqualTo(totals(Recordings.converted(file)));
  }

  /** As Spark's profiler marks a task, through async-profiler. */
  @Name("profiler.Span")
  static final class TaskSpan extends Event {
    String tag = "";
  }

  private static long spin(int stage) {
    TaskSpan span = new TaskSpan();
    span.begin();
    long end = System.nanoTime() + 1_500_000_000L;
    long turns = 0;
    while (System.nanoTime() < end) {
      // Most of the time here, and not in the clock: no sample is taken there.
      for (int i = 0; i < 100_000; i++) {
        turns += Long.numberOfTrailingZeros(turns | 1L << stage);
      }
    }
    span.tag = "stageId=" + stage + ",stageAttempt=0,partition=3,taskAttempt=41,attempt=0,SUCCESS";
    span.commit();
    return turns;
  }

  @Test
  void aFlameGraphOfOneStageHasItsTasksAlone() throws Exception {
    Path file = directory.resolve("executor.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
      recording.enable(TaskSpan.class);
      recording.start();
      assertThat(spin(7)).isNotNegative();
      assertThat(spin(8)).isNotNegative();
      recording.dump(file);
    }
    Path out = directory.resolve("out");
    assertThat(run("profiles", file, out, "--by", "stage", "--where", "kind = 'cpu'")).isZero();
    assertThat(files(out)).contains(Path.of("7.html"), Path.of("8.html"), Path.of("7.otlp"));
    Map<String, Profiles> stages =
        new MergedProfiles(
                spark.read().format("jfr").load(file.toString()).filter("kind = 'cpu'"),
                spark.read().format("jfr").option("table", "frames").load(file.toString()))
            .by("stage");
    long all = Recordings.converted(file).getOrDefault("cpu", List.of(0L, 0L)).get(1);
    long summed = 0;
    for (Profiles stage : stages.values()) {
      summed += stage.profiles().get(0).total();
    }
    assertThat(summed).isEqualTo(all);
    assertThat(stages.keySet()).contains("7", "8");
    assertThat(Objects.requireNonNull(stages.get("7")).profiles().get(0).total()).isLessThan(all);
  }

  @Test
  void differencesAreOfTwoGroups() throws Exception {
    Path in = Recordings.DIRECTORY;
    Path out = directory.resolve("diff.html");
    List<String> services =
        new MergedProfiles(
                spark.read().format("jfr").load(in.toString()),
                spark.read().format("jfr").option("table", "frames").load(in.toString()))
            .by("service").keySet().stream().toList();
    assertThat(services).hasSizeGreaterThan(1);

    // Two of the recordings were killed.
    assertThat(run("diff", in, out, services.get(0), services.get(1), "--by", "service"))
        .isEqualTo(1);
    assertThat(Files.readString(out)).startsWith("<!doctype html>").contains("Load.spin");
    assertThat(run("diff", in, out, "no-such", services.get(0), "--by", "service")).isEqualTo(1);
  }

  @Test
  void whatCannotBeReadMakesProfilesAndDifferencesEndWithOne() throws Exception {
    Path in = Files.createDirectory(directory.resolve("in"));
    Files.writeString(in.resolve("none.jfr"), "no recording at all");
    Recordings.joined(in.resolve("good.jfr"), "jdk21");
    Path out = directory.resolve("out");
    Path diff = directory.resolve("diff.html");

    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(run("profiles", in, out, "--where", "kind = 'cpu'")).isEqualTo(1);
      assertThat(run("diff", in, diff, "Load", "Load", "--by", "service")).isEqualTo(1);
    } finally {
      System.setErr(err);
    }
    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains("none.jfr: not a flight recording")
        .doesNotContain("good.jfr");
    assertThat(files(out)).contains(Path.of("Load.otlp"), Path.of("Load.html"));
    assertThat(diff).exists();
    Files.delete(in.resolve("none.jfr"));
    assertThat(run("profiles", in, out, "--where", "kind = 'cpu'")).isZero();
    assertThat(run("diff", in, diff, "Load", "Load", "--by", "service")).isZero();
  }

  @Test
  void aDatasetHasTheTimesAndServicesThatRecordingsHave() throws Exception {
    Path file = Recordings.packed("jdk21");
    Path dataset = directory.resolve("dataset");
    assertThat(run("dataset", file, dataset)).isZero();
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    // Half of the time that was recorded.
    Dataset<Row> rows = spark.read().format("jfr").load(file.toString()).filter("kind = 'cpu'");
    List<Row> times = rows.select("time", "time_nanos").orderBy("time_nanos").collectAsList();
    Row middle = times.get(times.size() / 2);
    String where =
        "kind = 'cpu' and time >= timestamp_ntz'"
            + middle.get(0)
            + "' and time_nanos <> "
            + middle.getLong(1);
    for (Path in : List.of(file, dataset)) {
      Path out = in.equals(file) ? first : second;
      assertThat(run("profiles", in, out, "--format", "collapsed", "--where", where)).isZero();
    }
    assertThat(files(second)).isEqualTo(files(first)).isNotEmpty();
    for (Path written : files(first)) {
      assertThat(second.resolve(written)).hasSameTextualContentAs(first.resolve(written));
    }

    try (Stream<Path> services = Files.walk(dataset)) {
      for (Path service : services.filter(path -> path.endsWith("service=Load")).toList()) {
        Files.move(service, service.resolveSibling("service=007"));
      }
    }
    Path named = directory.resolve("named");
    assertThat(run("profiles", dataset, named)).isZero();
    assertThat(files(named)).contains(Path.of("007.html"));
  }

  @Test
  void whatIsMissingIsSaidInALine() throws Exception {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Path dataset = directory.resolve("dataset");
    assertThat(run("dataset", empty, dataset)).isZero();
    Path out = directory.resolve("out");

    assertThat(run("profiles", dataset, out)).isEqualTo(1);
    assertThat(run("profiles", directory.resolve("no-such"), out)).isEqualTo(1);
    Path file = Recordings.packed("jdk21");
    assertThat(run("profiles", file, out, "--where", "no_such = 1")).isEqualTo(2);
    assertThat(run("profiles", file, out, "--where", "kind = ")).isEqualTo(2);
  }

  @Test
  void wrongUsageIsSaid() {
    assertThat(run("nonsense")).isEqualTo(2);
    assertThat(run("dataset", "in")).isEqualTo(2);
    assertThat(run("profiles", "in", "out", "--by", "nonsense")).isEqualTo(2);
    assertThat(run("profiles", "in", "out", "--format", "dot")).isEqualTo(2);
  }
}
