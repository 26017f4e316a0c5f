package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.buftrail.it.programs.MillionLive;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * With a million live buffers a snapshot with chunks is quick, and stops no thread. What stops the
 * JVM is read from its own log of safepoints, in turn with a dump and without. While the program
 * gives no reason to collect, and the JVM does not stop by itself now and again, there is nothing
 * but the dump that could stop it. While it does, collections come as they would anyway, and sooner
 * by what the dump leaves as garbage. Its own thread says the same: the best of the rounds counts,
 * since a pause of ours would be in each. {@code it/target/million-live.txt} has the figures.
 */
@Isolated("it takes a gigabyte, and its figures are of an idle machine")
final class MillionLiveIT {
  private static final int ROUNDS = 3;
  private static final int WARM_UPS = 3;
  private static final int LIVE = 1_000_000;

  /** The most that a pause of ours may take. */
  private static final long MOST_NANOS = 1_000_000;

  /** The most that a dump may leave as garbage. */
  private static final long MOST_GARBAGE = 64L << 20;

  /** What the JVM does for compiled code, and collections of a full young generation. */
  private static final Set<String> OF_OTHERS =
      Set.of("ICBufferFull", "G1CollectForAllocation", "G1PauseRemark", "G1PauseCleanup");

  private static final Pattern STOP =
      Pattern.compile("\\[(\\d+)ns\\] Safepoint \"(\\w+)\".*Total: +(\\d+) ns");

  private static final Pattern WATCHED = Pattern.compile("watched (\\w+)" + " (\\d+)".repeat(7));

  @TempDir private Path directory;

  /** What the program measured: the longest stop of its thread, and the garbage of others. */
  private record Window(
      String name, long from, long to, long stopped, long garbage, String figures) {}

  @EachSetting(newestNetty = true, java = 17)
  void aSnapshotIsQuickAndStopsNoThread(Setting setting) throws Exception {
    List<String> line =
        List.of(
            "-Xms1g",
            "-Xmx1g",
            "-XX:+UseG1GC",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:GuaranteedSafepointInterval=0",
            "-XX:NewSize=320m",
            "-XX:MaxNewSize=320m",
            "-Xlog:safepoint:file=stops.log:timenanos",
            "-javaagent:" + Setting.JAR + "=include=org.buftrail.it;report=end.txt",
            "-cp",
            setting.classPath(),
            MillionLive.class.getName(),
            "pooled",
            Integer.toString(LIVE));
    List<Duration> taken = new ArrayList<>();
    List<Window> windows = new ArrayList<>();
    try (RunningProgram program = new RunningProgram(directory, setting.java(), line)) {
      program.awaitLine("ready");
      for (int i = 0; i < WARM_UPS; i++) {
        dump(program);
      }
      for (int i = 0; i < ROUNDS; i++) {
        taken.add(dump(program));
      }
      for (int i = 0; i < ROUNDS; i++) {
        windows.add(watch(program, "quiet" + i, () -> Thread.sleep(1_000)));
        windows.add(watch(program, "dump" + i, () -> dump(program)));
        windows.add(watch(program, "frugalQuiet" + i, () -> Thread.sleep(1_000)));
        windows.add(watch(program, "frugalDump" + i, () -> dump(program)));
      }
    }
    JsonNode snapshot = new ObjectMapper().readTree(directory.resolve("d.json").toFile());
    JsonNode pool = snapshot.path("memory").path("pools").path(0);
    assertThat(snapshot.path("totals").path("live").asInt()).isGreaterThanOrEqualTo(LIVE);
    assertThat(pool.path("bytes").asLong()).isGreaterThan(64L * LIVE);
    assertThat(pool.path("notLocated").asLong()).isZero();
    note(setting, taken, windows);
    assertThat(taken).as("processor time of a snapshot").allMatch(t -> t.toMillis() <= 1_000);
    // Else the log would not be understood: to fill the heap takes collections.
    assertThat(STOP.matcher(Files.readString(directory.resolve("stops.log"))).find()).isTrue();
    List<Long> stopped = new ArrayList<>();
    for (Window window : windows) {
      if (window.name.startsWith("dump")) {
        assertThat(names(window)).as(window.name).isSubsetOf(OF_OTHERS);
      } else if (window.name.startsWith("frugalDump")) {
        assertThat(names(window)).as(window.name).isSubsetOf("ICBufferFull");
        assertThat(window.garbage).as(window.name).isBetween(1L, MOST_GARBAGE);
        stopped.add(window.stopped);
      }
    }
    assertThat(Collections.min(stopped)).as("of %s", stopped).isLessThan(MOST_NANOS);
  }

  private Set<String> names(Window window) throws IOException {
    Set<String> names = new TreeSet<>();
    stops(window).forEach(stop -> names.add(stop.group(2)));
    return names;
  }

  /** Returns the processor time that the program took for it. */
  private Duration dump(RunningProgram program) throws Exception {
    Duration before = used(program);
    String file = directory.resolve("d.json").toString();
    ForkedJvm.Result result = program.command("dump", "-o", file);
    assertThat(result.exit()).as(result.err()).isZero();
    return used(program).minus(before);
  }

  private static Duration used(RunningProgram program) {
    return ProcessHandle.of(Long.parseLong(program.pid()))
        .flatMap(process -> process.info().totalCpuDuration())
        .orElseThrow();
  }

  private interface Action {
    void run() throws Exception;
  }

  private static Window watch(RunningProgram program, String name, Action action) throws Exception {
    program.send("watch " + name);
    program.awaitLine("watching " + name);
    action.run();
    program.send("done");
    for (int i = 0; i < 3_000 && program.err().lines().noneMatch(isWatched(name)); i++) {
      Thread.sleep(20);
    }
    MatchResult line =
        WATCHED
            .matcher(program.err())
            .results()
            .filter(found -> found.group(1).equals(name))
            .findFirst()
            .orElseThrow();
    String figures =
        String.format(
            "longest gap %.3f ms, kept from running %.3f ms, collections %s, garbage %.1f MB",
            Long.parseLong(line.group(4)) / 1e6,
            Long.parseLong(line.group(5)) / 1e6,
            line.group(7),
            Long.parseLong(line.group(8)) / 1e6);
    return new Window(
        name,
        Long.parseLong(line.group(2)),
        Long.parseLong(line.group(3)),
        Long.parseLong(line.group(5)),
        Long.parseLong(line.group(8)),
        figures);
  }

  private static Predicate<String> isWatched(String name) {
    return Pattern.compile("watched " + name + "( \\d+){7}").asMatchPredicate();
  }

  private List<MatchResult> stops(Window window) throws IOException {
    return STOP.matcher(Files.readString(directory.resolve("stops.log")))
        .results()
        .filter(stop -> Long.parseLong(stop.group(1)) >= window.from)
        .filter(stop -> Long.parseLong(stop.group(1)) - Long.parseLong(stop.group(3)) <= window.to)
        .toList();
  }

  private void note(Setting setting, List<Duration> taken, List<Window> windows)
      throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(setting + ": processor time of a snapshot " + taken);
    for (Window window : windows) {
      List<String> stops = new ArrayList<>();
      for (MatchResult stop : stops(window)) {
        stops.add(String.format("%s %.3f ms", stop.group(2), Long.parseLong(stop.group(3)) / 1e6));
      }
      double seconds = (window.to - window.from) / 1e9;
      lines.add(
          String.format("  %s %.2f s, %s, stops %s", window.name, seconds, window.figures, stops));
    }
    Path file = Path.of(Setting.property("buftrail.it.root"), "it", "target", "million-live.txt");
    Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
