package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.buftrail.it.programs.Turnover;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What is live is right in snapshots that are taken while buffers come and go, too. */
@Isolated("an interrupted look at the threads makes the moment longer")
final class LiveCountIT {
  private static final int THREADS = 3;
  private static final long HELD = THREADS * 3_000;
  private static final int SNAPSHOTS = 4;
  private static final long TIMEOUT_SECONDS = 90;

  @TempDir private Path directory;

  private List<Path> snapshots() throws IOException {
    Path files = directory.resolve("snapshots");
    if (!Files.exists(files)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(files)) {
      return all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  /** Runs until so many snapshots were taken while all buffers were there. */
  private void run(String... arguments) throws Exception {
    ForkedJvm jvm =
        new ForkedJvm(directory)
            .option("-Xmx256m")
            .agent("every=1s;snapshotDir=snapshots;snapshotFiles=100;report=flows.json");
    CompletableFuture<ForkedJvm.Result> run =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return jvm.run(Turnover.class, arguments);
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!Files.exists(directory.resolve("ready")) && System.nanoTime() < until) {
      Thread.sleep(20);
    }
    int before = snapshots().size();
    while (snapshots().size() <= before + SNAPSHOTS && System.nanoTime() < until) {
      Thread.sleep(20);
    }
    List<Path> taken = snapshots();
    Files.createFile(directory.resolve("stop"));
    ForkedJvm.Result result = run.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(taken).hasSizeGreaterThan(before + SNAPSHOTS);
    for (Path file : taken.subList(before + 1, taken.size())) {
      assertLiveIsRight(FlowsFile.read(file));
    }
  }

  /**
   * No more than were live at once. What ends within the moment is missed, and on a machine with
   * more to do than processors a moment may be long.
   */
  private static void assertLiveIsRight(FlowsFile flows) {
    assertThat(flows.isBalanced()).as("%s", flows.totals()).isTrue();
    assertThat(flows.total("live")).isBetween(HELD * 9 / 10, HELD * 101 / 100);
  }

  @Test
  void whileThreadsTurnOverWhatTheyHold() throws Exception {
    run(Integer.toString(THREADS));
    FlowsFile end = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(end.isBalanced()).isTrue();
    assertThat(end.total("allocated") - end.total("released")).isEqualTo(HELD);
  }

  @Test
  void whenTheProgramEndsInTheMiddle() throws Exception {
    run(Integer.toString(THREADS), "abruptly");
    assertLiveIsRight(FlowsFile.read(directory.resolve("flows.json")));
  }
}
