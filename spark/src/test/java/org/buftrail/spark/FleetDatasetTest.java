package org.buftrail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a dataset, and of rows, when systems fail; without Spark. */
final class FleetDatasetTest {
  private final Configuration configuration = new Configuration();

  @TempDir private Path directory;

  FleetDatasetTest() {
    configuration.set("fs.other.impl", OtherFileSystem.class.getName());
    configuration.set("fs.failing.impl", FailingFileSystem.class.getName());
  }

  private FleetDataset dataset(String scheme) throws IOException {
    FleetDataset dataset = new FleetDataset(scheme + directory.resolve("dataset"), configuration);
    dataset.prepare();
    return dataset;
  }

  private List<String> files() throws IOException {
    Path dataset = directory.resolve("dataset");
    try (Stream<Path> all = Files.walk(dataset)) {
      return all.filter(Files::isRegularFile)
          .map(file -> dataset.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void whatASystemFailsToReadIsNoDamage() throws IOException {
    Path file = Recordings.joined(directory.resolve("good.jfr"), "jdk21", "jdk25");
    String address = "failing:" + file;
    FleetDataset dataset = dataset("");
    List<String> before = files();

    for (long readable : List.of(0L, Files.size(file) * 2 / 3)) {
      FailingFileSystem.READABLE.set(readable);
      try (JfrRows rows = permissive(address, configuration)) {
        assertThatThrownBy(
                () -> {
                  while (rows.next()) {
                    assertThat(rows.get()).isNotNull();
                  }
                })
            .isInstanceOf(IOException.class)
            .hasMessageContaining("connection reset");
      }
      assertThatThrownBy(() -> dataset.add(address)).hasMessageContaining("connection reset");
      assertThat(files()).isEqualTo(before);
    }
    FailingFileSystem.READABLE.set(Long.MAX_VALUE);
    FleetDataset.Added added = dataset.add(address);
    assertThat(added.damages()).isEmpty();
    assertThat(added.isAdded()).isTrue();
  }

  @Test
  void aCopyForWhichThereIsNoPlaceIsNoDamage() throws Exception {
    Path none = directory.resolve("none");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + none,
                "-cp",
                System.getProperty("java.class.path"),
                WithoutTemporaryFiles.class.getName(),
                directory.resolve("dataset").toString(),
                Recordings.packed("jdk21").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    String message =
        Recordings.packed("jdk21") + ": cannot be copied to a temporary file in " + none;
    assertThat(said.lines().filter(line -> line.startsWith(message))).as(said).hasSize(2);
    assertThat(files()).containsExactly("dataset.json");
  }

  /** Adds a recording to a dataset, and reads its rows; says why each fails. */
  static final class WithoutTemporaryFiles {
    private WithoutTemporaryFiles() {}

    public static void main(String[] args) throws IOException {
      FleetDataset dataset = new FleetDataset(args[0], new Configuration());
      dataset.prepare();
      try {
        System.out.println(dataset.add(args[1]));
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
      try (JfrRows rows = permissive(args[1], new Configuration())) {
        System.out.println(rows.next());
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  private static JfrRows permissive(String address, Configuration configuration) {
    Question question =
        new Question(
            TableShape.SAMPLES,
            TableShape.SAMPLES.schema(),
            RowLimits.NONE,
            DamageMode.PERMISSIVE,
            Integer.MAX_VALUE,
            List.of());
    return new JfrRows(question, List.of(RecordingSlice.whole(address)), configuration);
  }

  @Test
  void whatNobodyMayReadCostsItself() throws IOException {
    FleetDataset dataset = dataset("");
    Path file = Recordings.joined(directory.resolve(FailingFileSystem.FORBIDDEN), "jdk21");

    assertThat(dataset.add("failing:" + file).damages()).containsExactly("permission denied");
    assertThat(files()).containsExactly("dataset.json");
  }

  @Test
  void whatWasLeftWithoutAMarkIsReplaced() throws IOException {
    FleetDataset dataset = dataset("other:");
    String address = Recordings.packed("jdk21").toString();
    assertThat(dataset.add(address).isAdded()).isTrue();
    List<String> files = files();
    assertThat(dataset.add(address).isAdded()).isFalse();
    for (String file : files) {
      if (file.startsWith("recordings/")) {
        Files.delete(directory.resolve("dataset").resolve(file));
      }
    }

    assertThat(dataset.add(address).isAdded()).isTrue();
    assertThat(files()).isEqualTo(files).anyMatch(file -> file.startsWith("recordings/"));
  }

  @Test
  void nothingIsAddedToOneThatHasBeenCompacted() throws IOException {
    FleetDataset dataset = dataset("");
    dataset.prepare();
    Files.createDirectory(directory.resolve("dataset/compactions"));
    String address = Recordings.packed("jdk21").toString();
    assertThatThrownBy(dataset::prepare)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has been compacted");
    assertThatThrownBy(() -> dataset.add(address)).hasMessageContaining("has been compacted");
    assertThat(files()).noneMatch(file -> file.startsWith("rows/"));
  }

  /** As two jobs that begin with a dataset at the same time. */
  @ParameterizedTest
  @ValueSource(strings = {"", "other:"})
  void twoThatMakeOneAtTheSameTimeBothHaveIt(String scheme) throws Exception {
    ExecutorService both = Executors.newFixedThreadPool(2);
    try {
      for (int i = 0; i < 200; i++) {
        Path made = directory.resolve("made" + i);
        CyclicBarrier together = new CyclicBarrier(2);
        Callable<Integer> making =
            () -> {
              FleetDataset dataset = new FleetDataset(scheme + made, configuration);
              together.await(1, TimeUnit.MINUTES);
              dataset.prepare();
              return dataset.version();
            };
        for (Future<Integer> one : both.invokeAll(List.of(making, making))) {
          assertThat(one.get()).isEqualTo(DatasetLayout.VERSION);
        }
      }
    } finally {
      both.shutdown();
    }
  }

  @Test
  void namesMayLookLikeGlobs() throws IOException {
    Path file = Recordings.joined(directory.resolve("rec[1].jfr"), "jdk21");
    Recordings.joined(directory.resolve("rec1.jfr"), "jdk21");
    RecordingPaths paths = new RecordingPaths(configuration);

    assertThat(paths.below(List.of(file.toString())))
        .extracting(found -> found.getPath().getName())
        .containsExactly("rec[1].jfr");
    assertThat(paths.below(List.of(directory + "/rec?.jfr")))
        .extracting(found -> found.getPath().getName())
        .containsExactly("rec1.jfr");
  }
}
