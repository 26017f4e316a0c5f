package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.buftrail.console.engine.Dataset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes that add recordings to one dataset, of which one compacts it after each, both
 * killed as {@code kill -9} does: a recording is there in whole or not at all, and once. Every
 * second kill is at any moment, the others are at each step of a compaction in turn. {@code
 * -Dkills=50} for more of them, {@code -Dkills.seed} for other moments.
 */
@Tag("slow")
final class KilledWritersTest {
  private static final int KILLS = Integer.getInteger("kills", 4);
  private static final long SEED = Long.getLong("kills.seed", 46);

  /** So long both take, about. */
  private static final int LATEST_MILLIS = 4_000;

  /** How many steps a compaction of two files has, in {@link CompactorTest}. */
  private static final int STEPS = 11;

  private static final int VARIANTS = 5;

  /** Where a file of gzip has the time of its making, which nobody reads. */
  private static final int GZIP_TIME = 4;

  private static final List<String> RECORDINGS =
      List.of("jdk-50-10-100", "jdk21", "dd-50-10-100", "jdk25");

  private static final String SUMS =
      "select recording, count(*) as n, sum(value) as value, count(distinct event_id) as ids"
          + " from samples group by all order by all";
  private static final String EVENTS =
      "select recording, event, count(*) as n from events group by all order by all";

  @TempDir private Path directory;
  private Path recordings;
  private Path temporary;

  /** Adds recordings in turn; compacts after each if it is to, and perhaps stops at a step. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) throws Exception {
      Path dataset = Path.of(args[1]);
      boolean isCompacting = args[2].equals("compact");
      int last = Integer.parseInt(args[3]);
      List<Path> files = files(Path.of(args[0]));
      if (isCompacting) {
        Collections.reverse(files);
      }
      AtomicInteger step = new AtomicInteger();
      System.out.println("begun");
      for (Path file : files) {
        try (Dataset open = new DuckDbEngine().dataset(dataset, false)) {
          open.add(file);
        }
        if (isCompacting) {
          new Compactor(dataset, () -> stopAt(last, step)).run(LocalDate.MIN, 60_000);
        }
      }
      System.out.println("done");
    }

    private static void stopAt(int last, AtomicInteger step) throws IOException {
      if (step.getAndIncrement() == last) {
        System.out.println("stopped");
        // Until it is killed.
        System.in.read();
      }
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return new ArrayList<>(all.sorted().toList());
    }
  }

  /** The same recordings several times: others by their bytes. */
  @BeforeEach
  void copyRecordings() throws IOException {
    recordings = Files.createDirectory(directory.resolve("recordings"));
    temporary = Files.createDirectory(directory.resolve("temporary"));
    for (int variant = 0; variant < VARIANTS; variant++) {
      for (String name : RECORDINGS) {
        byte[] bytes = Files.readAllBytes(Answer.recording(name));
        bytes[GZIP_TIME] = (byte) variant;
        Files.write(recordings.resolve(variant + "-" + name + ".jfr.gz"), bytes);
      }
    }
  }

  private Process start(Path dataset, String role, int step) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            System.getProperty("java.class.path"),
            Writer.class.getName(),
            recordings.toString(),
            dataset.toString(),
            role,
            String.valueOf(step))
        .redirectError(directory.resolve("said").toFile())
        .start();
  }

  private String said(BufferedReader out) throws IOException {
    String line = out.readLine();
    return line == null ? Files.readString(directory.resolve("said")) : line;
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Kills both; answers what the compactor had said last. */
  private String kill(Path dataset, int step, int millis) throws Exception {
    List<Process> both = new ArrayList<>();
    try {
      both.add(start(dataset, "add", -1));
      both.add(start(dataset, "compact", step));
      BufferedReader out = reader(both.get(1));
      assertThat(said(reader(both.get(0)))).isEqualTo("begun");
      assertThat(said(out)).isEqualTo("begun");
      if (step >= 0) {
        return said(out);
      }
      // Any moment will do, so the clock decides nothing.
      both.get(1).waitFor(millis, TimeUnit.MILLISECONDS);
      return left(dataset) ? "in a compaction" : "elsewhere";
    } finally {
      for (Process process : both) {
        process.destroyForcibly();
      }
      for (Process process : both) {
        process.waitFor();
      }
      // The driver's native code, which killed processes leave there.
      for (Path file : files(temporary)) {
        Files.delete(file);
      }
    }
  }

  private static boolean left(Path dataset) throws IOException {
    Path compactions = dataset.resolve("compactions");
    if (!Files.isDirectory(compactions)) {
      return false;
    }
    return files(compactions).stream()
        .anyMatch(file -> !Objects.requireNonNull(file.getFileName()).toString().startsWith("."));
  }

  private static Set<String> lines(String query, Path dataset) throws IOException {
    Answer answer = Answer.to(query, dataset);
    assertThat(answer.err()).isEmpty();
    // Columns are as wide as what is in them.
    Set<String> lines = new TreeSet<>();
    answer.rows().forEach(row -> assertThat(lines.add(row.toString())).as("%s", row).isTrue());
    return lines;
  }

  private void addAll(Path dataset) throws Exception {
    try (Dataset open = new DuckDbEngine().dataset(dataset, false)) {
      for (Path file : files(recordings)) {
        open.add(file);
      }
    }
  }

  @Test
  void eachRecordingIsThereOnceOrNotAtAll() throws Exception {
    Path whole = directory.resolve("whole");
    addAll(whole);
    Set<String> sums = lines(SUMS, whole);
    Set<String> events = lines(EVENTS, whole);
    Random random = new Random(SEED);
    Map<String, Integer> moments = new TreeMap<>();
    for (int kill = 0; kill < KILLS; kill++) {
      Path dataset = directory.resolve("dataset" + kill);
      int step = kill % 2 == 0 ? -1 : kill / 2 % (3 * STEPS);
      moments.merge(kill(dataset, step, random.nextInt(LATEST_MILLIS)), 1, Integer::sum);
      String what = "kill " + kill;
      if (Files.isDirectory(dataset.resolve("rows"))) {
        assertThat(sums).as(what).containsAll(lines(SUMS, dataset));
        assertThat(events).as(what).containsAll(lines(EVENTS, dataset));
      }
      addAll(dataset);
      assertThat(lines(SUMS, dataset)).as(what).isEqualTo(sums);
      new Compactor(dataset, () -> {}).run(LocalDate.MIN, 0);
      assertThat(lines(SUMS, dataset)).as(what).isEqualTo(sums);
      assertThat(lines(EVENTS, dataset)).as(what).isEqualTo(events);
    }
    System.out.println(KILLS + " kills: " + moments);
    assertThat(moments.getOrDefault("stopped", 0)).isEqualTo(KILLS / 2);
  }
}
