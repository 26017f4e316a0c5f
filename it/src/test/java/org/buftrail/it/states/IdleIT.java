package org.buftrail.it.states;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.it.Setting;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An agent in a JVM without Netty that was asked to follow something else too: every surface says
 * that there is nothing, and none fails.
 */
final class IdleIT {
  private static final List<State> NOTHING =
      List.of(
          State.of("No Netty at all", "allocated", "released", "leaked", "live", "direct.leaked"));

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0}")
  @MethodSource(Jvms.SETTINGS)
  void noNettyAtAll(Setting setting) throws Exception {
    Cells cells = new Cells("no Netty", NOTHING);
    String options =
        "report=flows.txt,flows.json,flows.html;resource=com.example.None:open=new,close=close";
    Map<String, Long> nothing = new HashMap<>();
    try (Scene scene = Scene.start(setting, directory, Idle.class, options, Scene.RECORDING);
        Chromium chromium = new Chromium()) {
      scene.next();
      chromium.open(scene);
      cells.read(Surfaces.asked(), scene, nothing);
      cells.read(Surfaces.rendered(), scene, nothing);
      chromium.readLive(cells, scene, nothing);
      scene.end();
      cells.read(Surfaces.reports(), scene, nothing);
      chromium.readFile(cells, scene, nothing);
    }
    Cells.assertRight(cells);
    Document.check("no Netty", cells);
  }
}
