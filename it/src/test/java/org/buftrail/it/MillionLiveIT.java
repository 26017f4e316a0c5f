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
 * With a million live buffers a snapshot with chunks is quick, and stops no thread. What counts is
 * the processor time of its thread, and that of the process without the JIT compilers, which work
 * on all of the program; and the time by the clock, without that in which its thread waited for a
 * processor.
 *
 * <p>What stops the JVM is read from its own log of safepoints, in turn with a dump and without.
 * While the program gives no reason to collect, and the JVM does not stop by itself now and again,
 * there is nothing but the dump that could stop it. While it does, collections come as they would
 * anyway, and sooner by what the dump leaves as garbage. Its own thread says the same: the best of
 * the rounds counts, since a pause of ours would be in each. {@code it/target/million-live.txt} has
 * the figures.
 */
@Isolated("it takes a gigabyte, and its figures are of an idle machine")
final class MillionLiveIT {
  private static final int ROUNDS = 3;

  /** On a loaded machine there may be more, until one is not disturbed. */
  private static final int MOST_ROUNDS = 12;

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

  /** The thread that makes a snapshot which is asked for over the attach socket. */
  private static final Predicate<String> OWN = Predicate.isEqual("Attach Listener");

  private static final Predicate<String> COMPILERS = Pattern.compile("^C[12] ").asPredicate();

  /** What a snapshot took. */
  private record Taken(
      Duration clock, Duration waited, Duration own, Duration compilers, Duration process) {
    Duration clockWhenIdle() {
      return clock.minus(waited);
    }

    Duration withoutCompilers() {
      return process.minus(compilers);
    }

    @Override
    public String toString() {
      return String.format(
          "clock %.3f s, of it waiting for a processor %.3f; processor time of its thread %.3f,"
              + " of compilers %.3f, of the process %.3f",
          clock.toNanos() / 1e9,
          waited.toNanos() / 1e9,
          own.toNanos() / 1e9,
          compilers.toNanos() / 1e9,
          process.toNanos() / 1e9);
    }
  }

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
    List<Taken> taken = new ArrayList<>();
    List<Window> windows = new ArrayList<>();
    try (RunningProgram program = new RunningProgram(directory, setting.java(), line)) {
      program.awaitLine("ready");
      for (int i = 0; i < WARM_UPS + ROUNDS; i++) {
        taken.add(snapshot(program));
      }
      for (int i = 0; i < ROUNDS || (i < MOST_ROUNDS && leastStop(windows) >= MOST_NANOS); i++) {
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
    // Else the kernel has another name for it.
    assertThat(taken).allMatch(t -> t.own.toMillis() > 1);
    List<Taken> warm = taken.subList(WARM_UPS, taken.size());
    assertThat(warm).as("what a snapshot takes").allMatch(t -> isQuick(t.own));
    assertThat(warm).as("what a snapshot takes").allMatch(t -> isQuick(t.withoutCompilers()));
    assertThat(taken).as("what a snapshot takes").anyMatch(t -> isQuick(t.clockWhenIdle()));
    // Else the log would not be understood: to fill the heap takes collections.
    assertThat(STOP.matcher(Files.readString(directory.resolve("stops.log"))).find()).isTrue();
    for (Window window : windows) {
      if (window.name.startsWith("dump")) {
        assertThat(names(window)).as(window.name).isSubsetOf(OF_OTHERS);
      } else if (window.name.startsWith("frugalDump")) {
        assertThat(names(window)).as(window.name).isSubsetOf("ICBufferFull");
        assertThat(window.garbage).as(window.name).isBetween(1L, MOST_GARBAGE);
      }
    }
    assertThat(leastStop(windows)).as("of %s", windows).isLessThan(MOST_NANOS);
  }

  /** In the frugal dump that stopped the thread for the shortest time. */
  private static long leastStop(List<Window> windows) {
    return windows.stream()
        .filter(window -> window.name.startsWith("frugalDump"))
        .mapToLong(Window::stopped)
        .min()
        .orElseThrow();
  }

  private Set<String> names(Window window) throws IOException {
    Set<String> names = new TreeSet<>();
    stops(window).forEach(stop -> names.add(stop.group(2)));
    return names;
  }

  private static boolean isQuick(Duration duration) {
    return duration.compareTo(Duration.ofSeconds(1)) <= 0;
  }

  /** Asks for one as the command does. */
  private static Taken snapshot(RunningProgram program) throws Exception {
    awaitCompilers(program);
    ThreadTimes before = ThreadTimes.of(program.pid());
    Duration used = used(program);
    long start = System.nanoTime();
    assertThat(program.ask("render json")).startsWith("it 0 ");
    Duration clock = Duration.ofNanos(System.nanoTime() - start);
    Duration process = used(program).minus(used);
    ThreadTimes ran = ThreadTimes.of(program.pid()).since(before);
    return new Taken(clock, ran.waited(OWN), ran.ran(OWN), ran.ran(COMPILERS), process);
  }

  /** What was begun before is not to be counted. */
  private static void awaitCompilers(RunningProgram program) throws Exception {
    ThreadTimes before = ThreadTimes.of(program.pid());
    for (int i = 0; i < 100; i++) {
      Thread.sleep(200);
      ThreadTimes now = ThreadTimes.of(program.pid());
      if (now.since(before).ran(COMPILERS).toMillis() < 2) {
        return;
      }
      before = now;
    }
  }

  private void dump(RunningProgram program) throws Exception {
    String file = directory.resolve("d.json").toString();
    ForkedJvm.Result result = program.command("dump", "-o", file);
    assertThat(result.exit()).as(result.err()).isZero();
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

  private void note(Setting setting, List<Taken> taken, List<Window> windows) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(setting + ", snapshots, the first " + WARM_UPS + " to warm up:");
    taken.forEach(one -> lines.add("  " + one));
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
