package org.buftrail.it.states;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.buftrail.it.ForkedJvm;
import org.buftrail.it.Setting;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was lost in the last moment, where the JVM does not collect when it is asked to. */
final class EndedIT {
  private static final String REPORTS =
      "report=flows.txt,flows.json,flows.html,flows.otlp,flows.pb.gz,flows.collapsed,flows.dot,"
          + "flows.mmd,flows.llm";

  private static final List<State> UNDECIDED =
      List.of(
          State.of("Undecided at the end", "undecided"),
          State.of("Live at the end", "allocated", "live", "liveBytes", "lose.live"));

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0}")
  @MethodSource(Jvms.SETTINGS)
  void lostInTheLastMoment(Setting setting) throws Exception {
    Cells cells = new Cells("undecided", UNDECIDED);
    List<String> options = new ArrayList<>(ForkedJvm.ROOM);
    options.add("-XX:+DisableExplicitGC");
    try (Scene scene =
            Scene.start(
                setting, directory, Undecided.class, REPORTS, options.toArray(String[]::new));
        Chromium chromium = new Chromium()) {
      Map<String, Long> ledger = scene.next();
      scene.end();
      cells.read(Surfaces.written(), scene, ledger);
      chromium.readFile(cells, scene, ledger);
    }
    Cells.assertRight(cells);
    Document.check("undecided", cells);
  }
}
