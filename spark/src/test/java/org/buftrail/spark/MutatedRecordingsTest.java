package org.buftrail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.buftrail.jfr.RecordingMutator;
import org.buftrail.jfr.RowReader;
import org.buftrail.jfr.RowSelection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Recordings that are broken in their structure, all at once: each has the rows that our own reader
 * finds in it, or is named in one row, or both; {@code -Dmutations.spark=500} for more of them.
 */
@Tag("spark")
final class MutatedRecordingsTest {
  private static final int COUNT = Integer.getInteger("mutations.spark", 60);
  private static final long FIRST = Long.getLong("mutations.first", 0);
  private static final List<String> NAMES =
      List.of("jdk-50-10-100", "dd-50-10-100", "jdk21", "killed-25", "async-profiler");

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  @Test
  void eachIsReadAsFarAsItGoesOrNamed() throws IOException {
    Map<String, Long> expected = new HashMap<>();
    Set<String> damaged = new TreeSet<>();
    for (int i = 0; i < COUNT; i++) {
      long seed = FIRST + i;
      String name = seed + ".jfr";
      byte[] sound = Recordings.bytes(NAMES.get((int) (seed % NAMES.size())));
      Path file = Files.write(directory.resolve(name), new RecordingMutator(seed).mutate(sound));
      long[] rows = {0};
      RowReader reader = new RowReader(RowSelection.ALL, batch -> rows[0] += batch.size());
      try {
        if (!reader.read(file).damages().isEmpty()) {
          damaged.add(name);
        }
      } catch (IOException e) {
        damaged.add(name);
      }
      if (rows[0] > 0) {
        expected.put(name, rows[0]);
      }
    }

    spark.read().format("jfr").load(directory.toString()).createOrReplaceTempView("samples");
    Map<String, Long> found = new HashMap<>();
    Set<String> named = new TreeSet<>();
    for (Row row :
        spark
            .sql(
                "select recording, count(kind), count(_corrupt) from samples group by recording"
                    + " order by recording")
            .collectAsList()) {
      String name = row.getString(0).substring(row.getString(0).lastIndexOf('/') + 1);
      if (row.getLong(1) > 0) {
        found.put(name, row.getLong(1));
      }
      if (row.getLong(2) > 0) {
        assertThat(row.getLong(2)).as(name).isEqualTo(1);
        named.add(name);
      }
    }
    assertThat(found).isEqualTo(expected);
    assertThat(named).isEqualTo(damaged);
    assertThat(damaged).isNotEmpty();
  }
}
