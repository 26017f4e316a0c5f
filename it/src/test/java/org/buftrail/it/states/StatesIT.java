package org.buftrail.it.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.it.Setting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every surface of a real agent in every state, beside the ledger of the program. */
final class StatesIT {
  private static final String LEASES = "resource=org.buftrail.it.states.Lease:open=new,close=close";
  @TempDir private Path directory;

  @Test
  void thereIsAChromiumToReadThePagesIn() {
    boolean isRequired = "true".equals(System.getenv("CI"));
    assumeTrue(isRequired || Chromium.isThere(), "no Chromium: what pages show was not read");
    assertThat(Chromium.isThere()).as("apt-get install chromium chromium-driver").isTrue();
  }

  private static final List<State> EVERYTHING =
      List.of(
          State.of(
              "Released",
              "allocated",
              "released",
              "releasedBytes",
              "finish.released",
              "direct.released"),
          State.of(
              "Leaked",
              "leaked",
              "leakedBytes",
              "direct.leaked",
              "heap.leaked",
              "direct.leakedBytes",
              "heap.leakedBytes",
              "lose.leaked",
              "lose.leakedBytes",
              "loseLater.leaked"),
          State.of(
              "Held by what leaked",
              "held",
              "direct.held",
              "loseWhole.held",
              "loseWhole.leakedBytes"),
          State.of(
              "Dropped",
              "dropped",
              "droppedBytes",
              "heap.dropped",
              "forget.dropped",
              "forget.droppedBytes"),
          State.of(
              "Live",
              "live",
              "liveBytes",
              "direct.live",
              "heap.live",
              "direct.liveBytes",
              "heap.liveBytes",
              "cache.live",
              "cache.liveBytes"),
          State.of("Two roots of one name", "stack.rows", "stack.live", "stack.liveBytes"),
          State.of("Two reference counts on one way", "put.live", "put.liveBytes"),
          State.of("Suspect", "suspects", "pile.suspect"),
          State.of("Misused", "misuses", "releaseAgain.releases", "readDead.uses"),
          State.of("Resources", "resource.released", "resource.leaked", "resource.live"));

  private static Map<String, Long> compared(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> both = new TreeMap<>(after);
    before.forEach((figure, value) -> both.put("before " + figure, value));
    return both;
  }

  private static Told diff(Scene scene, Path before, Path after) throws Exception {
    return DiffReader.read(
        scene.command("diff", before.toString(), after.toString(), "--normalize", "none"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(Jvms.SETTINGS)
  void everythingAtOnce(Setting setting) throws Exception {
    Cells cells = new Cells("Everything at once", EVERYTHING);
    String options = "report=flows.txt,flows.json,flows.html;alert=leaked>23;" + LEASES;
    try (Scene scene = Scene.start(setting, directory, Everything.class, options, Scene.RECORDING);
        Chromium chromium = new Chromium()) {
      Map<String, Long> first = scene.next();
      Listener listener = new Listener(scene);
      Path before = scene.dumped("json");
      chromium.open(scene);
      Map<String, Long> second = scene.next();
      chromium.readLive(cells, scene, second);
      Map<String, Long> third = scene.next();
      cells.read(Surfaces.watched(), scene, third);
      cells.read(Surfaces.commands(), scene, third);
      Path after = scene.dumped("json");
      cells.read(
          Surface.of("`diff` with a later one", s -> diff(s, before, after)),
          scene,
          compared(first, third));
      cells.read(
          Surface.of("`diff` with itself", s -> diff(s, after, after)),
          scene,
          compared(third, third));
      cells.read(Surface.late("snapshot by `alert`", Surfaces::alert), scene, third);
      third.put("leaking paths", 2L);
      third.put("alerts", 1L);
      cells.read(Surface.late("notifications", s -> listener.told()), scene, third);
      scene.end();
      third.put("undecided", 0L);
      cells.read(Surfaces.ended(), scene, third);
      chromium.readFile(cells, scene, third);
    }
    Cells.assertRight(cells);
    Document.check("everything", cells);
  }
}
