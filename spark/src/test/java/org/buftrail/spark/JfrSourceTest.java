package org.buftrail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.buftrail.jfr.RowReader;
import org.buftrail.jfr.RowSelection;
import org.buftrail.jfr.rows.SampleColumn;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Spark reads of recordings against what the converter makes of them. */
final class JfrSourceTest {
  private static final String SUMS =
      "select recording, kind, count(*), sum(value), sum(coalesce(second_value, 0)) from samples"
          + " where kind is not null group by all order by all";

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  private Dataset<Row> table(String table, Object path, String... options) {
    var reader = spark.read().format("jfr").option("table", table);
    for (int i = 0; i < options.length; i += 2) {
      reader = reader.option(options[i], options[i + 1]);
    }
    Dataset<Row> rows = reader.load(path.toString());
    rows.createOrReplaceTempView(table);
    return rows;
  }

  /** By recording and kind: rows, and the sums of both values. */
  private Map<String, Map<String, List<Long>>> sums() {
    Map<String, Map<String, List<Long>>> sums = new TreeMap<>();
    for (Row row : spark.sql(SUMS).collectAsList()) {
      String file = Path.of(row.getString(0)).getFileName().toString();
      sums.computeIfAbsent(file, any -> new TreeMap<>())
          .put(row.getString(1), List.of(row.getLong(2), row.getLong(3), row.getLong(4)));
    }
    return sums;
  }

  private static Map<String, Map<String, List<Long>>> converted(List<Path> files)
      throws IOException {
    Map<String, Map<String, List<Long>>> sums = new TreeMap<>();
    for (Path file : files) {
      sums.put(file.getFileName().toString(), Recordings.converted(file));
    }
    return sums;
  }

  @Test
  @Tag("slow")
  void sumsAreTheConverters() throws IOException {
    table("samples", Recordings.DIRECTORY);

    assertThat(sums()).isEqualTo(converted(Recordings.all())).hasSizeGreaterThan(5);
  }

  @Test
  @Tag("slow")
  void partsOfALargeRecordingAreTogetherTheWhole() throws IOException {
    Path file =
        Recordings.joined(
            directory.resolve("large.jfr"), "async-profiler", "async-profiler", "async-profiler");
    Map<String, Map<String, List<Long>>> whole = converted(List.of(file));
    for (String address : List.of(file.toString(), "other:" + file)) {
      Dataset<Row> rows = table("samples", address, "splitBytes", "300000");

      assertThat(rows.rdd().getNumPartitions()).as(address).isGreaterThan(3);
      assertThat(sums()).as(address).isEqualTo(whole);
    }
    assertThat(table("samples", file).rdd().getNumPartitions()).isEqualTo(1);
  }

  @Test
  @Tag("spark")
  void anyFileSystemWillDo() throws IOException {
    table("samples", "other:" + Recordings.DIRECTORY);
    assertThat(sums()).isEqualTo(converted(Recordings.all()));
    assertThat(
            spark
                .sql("select distinct recording from samples where recording like 'other:/%'")
                .count())
        .isEqualTo(Recordings.all().size());
  }

  @Test
  @Tag("spark")
  void filtersAndColumnsArePushedDown() {
    Dataset<Row> rows = table("samples", Recordings.packed("jdk21"));
    List<Row> cpu =
        rows.filter("kind = 'cpu'").select("time_nanos").orderBy("time_nanos").collectAsList();
    assertThat(cpu).hasSizeGreaterThan(10);
    long middle = cpu.get(cpu.size() / 2).getLong(0);
    long late = cpu.stream().filter(row -> row.getLong(0) > middle).count();

    Dataset<Row> narrow =
        rows.filter("kind = 'cpu' and service = 'Load' and time_nanos > " + middle).select("value");
    String plan =
        narrow
            .queryExecution()
            .explainString(org.apache.spark.sql.execution.ExplainMode.fromString("formatted"));
    assertThat(plan).contains("[kind in [cpu], service in [Load], time]");
    assertThat(plan).doesNotContain("tags");
    assertThat(narrow.count()).isEqualTo(late).isPositive();
    assertThat(rows.filter("service = 'other'").count()).isZero();
    String time =
        spark.sql("select min(time) from samples where kind = 'cpu'").first().get(0).toString();
    assertThat(rows.filter("kind = 'cpu' and time >= '" + time + "'").count())
        .isEqualTo(cpu.size());
    assertThat(rows.filter("kind = 'cpu' and time = '" + time + "'").count()).isPositive();
    assertThat(rows.filter("event = 'jdk.ExecutionSample'").count()).isEqualTo(cpu.size());
    // Another event, with the count that Spark comes to by itself.
    Row other =
        rows.filter("kind is not null")
            .groupBy("event", "kind")
            .count()
            .filter("kind <> 'cpu'")
            .orderBy("event", "kind")
            .first();
    assertThat(
            rows.filter("event = '" + other.getString(0) + "'")
                .groupBy("event", "kind")
                .count()
                .collectAsList())
        .contains(other)
        .allMatch(row -> row.getString(0).equals(other.getString(0)));
  }

  @Test
  @Tag("spark")
  void stacksAreThoseOfTheRowReader() throws IOException {
    Path file = Recordings.packed("jdk25");
    Map<Long, String> tops = new TreeMap<>();
    new RowReader(
            RowSelection.ALL,
            batch -> {
              for (int i = 0; i < batch.size(); i++) {
                if (batch.stackId(i) != 0) {
                  tops.put(batch.stackId(i), batch.frames(i).get(0).function());
                }
              }
            })
        .read(file);
    table("samples", file);
    Dataset<Row> frames = table("frames", file);
    Dataset<Row> stacks = table("stacks", file);

    List<Row> found =
        spark
            .sql(
                "select distinct stack_id, function from samples join frames using (stack_id) where"
                    + " depth = 0")
            .collectAsList();
    Map<Long, String> read = new TreeMap<>();
    found.forEach(row -> read.put(row.getLong(0), row.getString(1)));
    assertThat(read).isEqualTo(tops).hasSizeGreaterThan(20);
    assertThat(stacks.count()).isEqualTo(frames.select("stack_id").distinct().count());
    assertThat(spark.sql("select sum(size(frames)) from stacks").first().getLong(0))
        .isEqualTo(frames.count());
  }

  @Test
  @Tag("spark")
  void otherEventsHaveTheirFields() throws IOException {
    table("events", Recordings.packed("jdk21"));

    List<Row> settings =
        spark
            .sql(
                "select fields['name'], fields['value'], service from events where event ="
                    + " 'jdk.ActiveSetting' and fields['name'] = 'enabled'")
            .collectAsList();
    assertThat(settings).isNotEmpty().allMatch(row -> row.getString(2).equals("Load"));
    Map<String, Long> expected = new TreeMap<>();
    RowSelection others =
        new RowSelection(SampleColumn.ALL, Set.of(), Long.MIN_VALUE, Long.MAX_VALUE, null);
    new RowReader(
            others,
            batch -> {
              for (int i = 0; i < batch.size(); i++) {
                expected.merge(batch.kind(i), 1L, Long::sum);
              }
            })
        .read(Recordings.packed("jdk21"));
    Map<String, Long> counts = new TreeMap<>();
    for (Row row : spark.sql("select event, count(*) from events group by 1").collectAsList()) {
      counts.put(row.getString(0), row.getLong(1));
    }
    assertThat(counts).isEqualTo(expected).hasSizeGreaterThan(2);
  }

  @Test
  @Tag("spark")
  void whatIsWrongCostsItselfAndIsNamed() throws IOException {
    byte[] bytes = Files.readAllBytes(Recordings.joined(directory.resolve("good.jfr"), "jdk21"));
    Files.write(directory.resolve("cut.jfr"), Arrays.copyOf(bytes, bytes.length * 3 / 4));
    Files.write(directory.resolve("empty.jfr"), new byte[0]);
    Files.writeString(directory.resolve("none.jfr"), "no recording at all");
    for (String address : List.of(directory.toString(), "other:" + directory)) {
      Dataset<Row> rows = table("samples", address);
      List<Row> corrupt =
          spark
              .sql("select recording, _corrupt from samples where _corrupt is not null order by 1")
              .collectAsList();
      assertThat(corrupt).as("one a file").hasSize(3);
      long most = Files.size(directory.resolve("good.jfr")) / 5;
      assertThat(
              table("samples", address, "splitBytes", Long.toString(most))
                  .filter("_corrupt is not null")
                  .count())
          .as("one a file, whatever tasks read it")
          .isEqualTo(3);
      assertThat(corrupt.get(0).getString(0)).endsWith("cut.jfr");
      assertThat(corrupt.get(0).getString(1)).contains("chunk 0 at byte 0");
      assertThat(corrupt.toString())
          .contains("empty.jfr,is empty", "none.jfr,not a flight recording");
      assertThat(sums().getOrDefault("good.jfr", Map.of()))
          .isEqualTo(Recordings.converted(directory.resolve("good.jfr")));

      long all = rows.count();
      long good = table("samples", address, "mode", "dropmalformed").count();
      assertThat(good).isEqualTo(all - corrupt.size()).isPositive();
      Dataset<Row> strict = table("samples", address + "/cut.jfr", "mode", "FAILFAST");
      assertThatThrownBy(strict::count).hasStackTraceContaining("cut.jfr: chunk 0 at byte 0");
    }
    assertThatThrownBy(() -> table("samples", directory, "mode", "LAX").count())
        .hasMessageContaining("option mode: \"LAX\" is none of");
  }

  @Test
  @Tag("spark")
  void whatVanishesCostsItselfAndIsNamed() throws IOException {
    Recordings.joined(directory.resolve("stays.jfr"), "jdk21");
    for (String address : List.of(directory.toString(), "other:" + directory)) {
      Path gone = Recordings.joined(directory.resolve("gone.jfr"), "jdk21");
      var rows = table("samples", address).select("recording", "_corrupt").javaRDD();
      // Planned now, read below.
      assertThat(rows.getNumPartitions()).isPositive();
      Files.delete(gone);
      List<Row> read = rows.collect();
      assertThat(read).filteredOn(row -> !row.isNullAt(1)).hasSize(1);
      assertThat(read)
          .filteredOn(row -> !row.isNullAt(1))
          .allMatch(row -> row.getString(0).endsWith("gone.jfr"))
          .allMatch(row -> row.getString(1).equals("no such file"));
      assertThat(read).filteredOn(row -> row.getString(0).endsWith("stays.jfr")).isNotEmpty();
    }
    Dataset<Row> missing = table("samples", directory.resolve("no-such"));
    assertThatThrownBy(missing::count)
        .hasStackTraceContaining("no-such: no such file or directory");
  }

  private Path inDirectories() throws IOException {
    for (String part : List.of("dt=2026-11-20/zone=eu", "dt=2026-11-21/zone=us%3A1")) {
      Path below = Files.createDirectories(directory.resolve(part));
      Recordings.joined(below.resolve("one.jfr"), "jdk21");
    }
    return directory;
  }

  @Test
  @Tag("spark")
  void directoriesBecomeColumns() throws IOException {
    Dataset<Row> rows = table("samples", inDirectories());
    long all = rows.count();
    assertThat(rows.select("dt", "zone").distinct().orderBy("dt").collectAsList())
        .hasToString("[[2026-11-20,eu], [2026-11-21,us:1]]");
    assertThat(rows.schema().apply("dt").dataType().typeName()).isEqualTo("date");
    Dataset<Row> one = rows.filter("dt >= '2026-11-21' and zone in ('us:1', 'asia')");
    assertThat(one.count()).isEqualTo(all / 2).isPositive();
    assertThat(one.rdd().getNumPartitions()).isEqualTo(1);
    assertThat(rows.filter("zone = 'none'").rdd().getNumPartitions()).isZero();
    assertThat(table("stacks", directory).filter("zone = 'eu'").count())
        .isEqualTo(table("stacks", directory.resolve("dt=2026-11-20/zone=eu")).count());
    assertThat(table("samples", directory, "recursiveFileLookup", "true").columns())
        .doesNotContain("dt", "zone");
    Path day = directory.resolve("dt=2026-11-20");
    assertThat(table("samples", day).columns()).contains("zone").doesNotContain("dt");
    assertThat(table("samples", day, "basePath", directory.toString()).columns())
        .contains("dt", "zone");
    Recordings.joined(directory.resolve("beside.jfr"), "jdk21");
    assertThatThrownBy(() -> table("samples", directory))
        .hasMessageContaining("directories disagree about columns: [] and [dt, zone]");
  }

  @Test
  @Tag("spark")
  void limitsArePushedDownAndBytesAreTold() throws Exception {
    Path file = Recordings.joined(directory.resolve("some.jfr"), "jdk21");
    Dataset<Row> rows = table("samples", file);
    assertThat(rows.limit(3).queryExecution().executedPlan().toString()).contains("limit 3");
    assertThat(rows.limit(3).collectAsList()).hasSize(3);
    assertThat(rows.filter("kind = 'cpu'").limit(2).collectAsList())
        .as("a limit behind a filter that Spark applies")
        .hasSize(2)
        .allMatch(row -> row.getAs("kind").equals("cpu"));
    assertThat(rows.queryExecution().optimizedPlan().stats().sizeInBytes().longValue())
        .isBetween(Files.size(file), 100 * Files.size(file));
    AtomicLong bytes = new AtomicLong();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            bytes.addAndGet(end.taskMetrics().inputMetrics().bytesRead());
          }
        };
    spark.sparkContext().addSparkListener(listener);
    try {
      rows.count();
      spark.sparkContext().listenerBus().waitUntilEmpty();
    } finally {
      spark.sparkContext().removeSparkListener(listener);
    }
    assertThat(bytes).hasValueGreaterThanOrEqualTo(Files.size(file));
  }

  @Test
  @Tag("spark")
  void aWriteIsRefusedWithWhatToDo() {
    Dataset<Row> rows = table("samples", Recordings.packed("jdk21"));
    for (SaveMode mode : SaveMode.values()) {
      assertThatThrownBy(
              () -> rows.write().format("jfr").mode(mode).save(directory.resolve("out").toString()))
          .as(mode.toString())
          .hasMessageContaining("format jfr is read and not written")
          .hasMessageContaining("write.parquet(path) keeps rows");
    }
  }

  @Test
  @Tag("spark")
  void sqlReadsThemToo() throws IOException {
    spark.sql(
        "create or replace temporary view recording using jfr options (path '"
            + Recordings.packed("jdk21")
            + "')");
    long cpu = spark.sql("select sum(value) from recording where kind = 'cpu'").first().getLong(0);
    assertThat(cpu)
        .isEqualTo(
            Recordings.converted(Recordings.packed("jdk21"))
                .getOrDefault("cpu", List.of(0L, 0L))
                .get(1));
    assertThatThrownBy(() -> table("nonsense", directory))
        .hasMessageContaining("option table: \"nonsense\" is none of");
  }
}
