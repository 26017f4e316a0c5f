package org.buftrail.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.SerializableConfiguration;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.diff.ProfileDiff;
import org.buftrail.profile.html.DiffHtml;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.profile.output.ProfileWriter;
import org.buftrail.profile.output.ProfileWriters;

/**
 * The job for {@code spark-submit}: recordings into a dataset, or into merged profiles, or the
 * difference of two groups of them.
 */
public final class FleetJob {
  private static final String USAGE =
      "usage: FleetJob dataset IN OUT\n"
          + "       FleetJob profiles IN OUT [--by all|service|host|stage|tag:NAME]"
          + " [--format otlp,html,pprof] [--where CONDITION]\n"
          + "       FleetJob diff IN OUT.html --by service|host|stage|tag:NAME BEFORE AFTER"
          + " [--where CONDITION]";

  private final SparkSession spark;

  FleetJob(SparkSession spark) {
    this.spark = spark;
  }

  /** Runs it; exits with 0 if all went well, 1 if something could not be read, 2 on wrong usage. */
  public static void main(String[] arguments) {
    SparkSession spark = SparkSession.builder().appName("buftrail").getOrCreate();
    int exit;
    try {
      exit = new FleetJob(spark).run(arguments);
    } finally {
      spark.stop();
    }
    if (exit != 0) {
      System.exit(exit);
    }
  }

  int run(String... arguments) {
    JobArguments given;
    try {
      given = JobArguments.of(arguments);
      MergedProfiles.group(given.by());
    } catch (IllegalArgumentException e) {
      return say(e.getMessage() + "\n" + USAGE, 2);
    }
    try {
      return switch (given.command()) {
        case "dataset" -> dataset(given);
        case "profiles" -> profiles(given);
        default -> diff(given);
      };
    } catch (IllegalArgumentException e) {
      return say(String.valueOf(e.getMessage()), 2);
    } catch (IOException | UncheckedIOException e) {
      return say(String.valueOf(e.getMessage()), 1);
    }
  }

  private static int say(String what, int exit) {
    System.err.println("buftrail: " + what);
    return exit;
  }

  private Configuration configuration() {
    return spark.sparkContext().hadoopConfiguration();
  }

  private int dataset(JobArguments given) throws IOException {
    new FleetDataset(given.out(), configuration()).prepare();
    List<String> addresses = new ArrayList<>();
    for (FileStatus file : new RecordingPaths(configuration()).below(List.of(given.in()))) {
      addresses.add(file.getPath().toString());
    }
    String out = given.out();
    SerializableConfiguration carried = new SerializableConfiguration(configuration());
    List<FleetDataset.Added> added =
        addresses.isEmpty()
            ? List.of()
            : new JavaSparkContext(spark.sparkContext())
                .parallelize(addresses, addresses.size())
                .map(address -> new FleetDataset(out, carried.value()).add(address))
                .collect();
    long fresh = added.stream().filter(FleetDataset.Added::isAdded).count();
    long bad = added.stream().filter(one -> !one.damages().isEmpty()).count();
    for (FleetDataset.Added one : added) {
      one.damages().forEach(damage -> say(one.recording() + ": " + damage, 1));
    }
    System.out.println(
        out
            + ": added "
            + fresh
            + ", there before "
            + added.stream().filter(one -> !one.isAdded() && one.damages().isEmpty()).count()
            + ", with damages "
            + bad);
    return bad == 0 ? 0 : 1;
  }

  private Dataset<Row> table(String table, JobArguments given) throws IOException {
    FleetDataset dataset = new FleetDataset(given.in(), configuration());
    if (!dataset.exists()) {
      return spark.read().format("jfr").option("table", table).load(given.in());
    }
    if (dataset.version() == DatasetLayout.FIRST) {
      throw new IOException(
          given.in()
              + " is of version "
              + DatasetLayout.FIRST
              + ", which buftrail sql reads and this job does not; make the dataset again");
    }
    Path files = new Path(given.in(), DatasetLayout.ROWS);
    if (!files.getFileSystem(configuration()).exists(files)) {
      throw new IOException(given.in() + ": no " + table);
    }
    // A service that is called 007 is not 7.
    spark.conf().set("spark.sql.sources.partitionColumnTypeInference.enabled", "false");
    Dataset<Row> rows = spark.read().parquet(files.toString());
    if (table.equals(DatasetLayout.FRAMES)) {
      // Damages were reported when the dataset was made.
      return rows.filter(col(DatasetLayout.ROW).equalTo(DatasetLayout.FRAME))
          .withColumn("recording", lit(""))
          .withColumn(TableShape.CORRUPT, noText());
    }
    return rows.filter(col(DatasetLayout.ROW).equalTo(DatasetLayout.SAMPLE));
  }

  private static Column noText() {
    return lit(null).cast(DataTypes.StringType);
  }

  private MergedProfiles merged(JobArguments given) throws IOException {
    Dataset<Row> samples = table(DatasetLayout.SAMPLES, given);
    if (!given.where().isEmpty()) {
      samples = filtered(samples, given.where());
    }
    return new MergedProfiles(samples, table(DatasetLayout.FRAMES, given));
  }

  private static Dataset<Row> filtered(Dataset<Row> samples, String where) {
    try {
      return samples.filter(where);
    } catch (Exception e) {
      // Scala does not declare what is thrown.
      if (e instanceof AnalysisException) {
        String reason = String.valueOf(e.getMessage()).strip().lines().findFirst().orElse("");
        throw new IllegalArgumentException("--where " + where + ": " + reason, e);
      }
      throw e;
    }
  }

  /** Tells what could not be read; answers how the job ends. */
  private static int told(MergedProfiles merged) {
    merged.damages().forEach(damage -> say(damage, 1));
    return merged.damages().isEmpty() ? 0 : 1;
  }

  private int profiles(JobArguments given) throws IOException {
    MergedProfiles merged = merged(given);
    Map<String, Profiles> groups = merged.by(given.by());
    int exit = told(merged);
    if (groups.isEmpty()) {
      return say(given.in() + ": no samples", 1);
    }
    for (Map.Entry<String, Profiles> group : groups.entrySet()) {
      String name = given.out() + "/" + DatasetLayout.escaped(group.getKey());
      for (ProfileFormat format : given.formats()) {
        ProfileWriter writer = ProfileWriters.of(format);
        List<List<Profiles>> files = writer.files(List.of(group.getValue()));
        for (List<Profiles> file : files) {
          String kind = files.size() == 1 ? "" : "." + file.get(0).profiles().get(0).name();
          write(name + kind + format.ending(), out -> writer.write(file, out));
        }
      }
    }
    System.out.println(given.out() + ": profiles of " + String.join(", ", groups.keySet()));
    return exit;
  }

  private int diff(JobArguments given) throws IOException {
    MergedProfiles merged = merged(given);
    Map<String, Profiles> groups = merged.by(given.by());
    int exit = told(merged);
    Profiles before = groups.get(given.before());
    Profiles after = groups.get(given.after());
    if (before == null || after == null) {
      return say(
          given.by()
              + ": nothing of \""
              + (before == null ? given.before() : given.after())
              + "\"; there are "
              + String.join(", ", groups.keySet()),
          1);
    }
    ProfileDiff diff =
        ProfileDiff.of(List.of(before), List.of(after), ProfileDiff.Scale.AUTO, false);
    write(
        given.out(),
        out -> {
          Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
          DiffHtml.write(diff, given.before(), given.after(), text);
          text.flush();
        });
    System.out.println(given.out() + ": from " + given.before() + " to " + given.after());
    return exit;
  }

  private void write(String name, WholeFiles.Content content) throws IOException {
    Path file = new Path(name);
    WholeFiles.write(file.getFileSystem(configuration()), file, content);
  }
}
