package org.buftrail.it.states;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.buftrail.it.Setting;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An agent that has reached a bound, and then gives up after too many errors of its own. */
final class LimitedIT {
  private static final String GAVE_UP = "stopped: 1000 errors inside the tracker within 10 s";

  private static final List<State> BOUND =
      List.of(State.of("Past a bound", "overflowed", "allocated", "released", "finish.released"));

  private static final List<State> GIVEN_UP =
      List.of(State.of("Given up after errors", "stopped", GAVE_UP, "errors"));

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0}")
  @MethodSource(Jvms.SETTINGS)
  void theAgentAtItsLimits(Setting setting) throws Exception {
    Cells bound = new Cells("bound", BOUND);
    Cells givenUp = new Cells("given up", GIVEN_UP);
    String options = "report=flows.txt,flows.json,flows.html;maxNodes=3";
    try (Scene scene = Scene.start(setting, directory, Limited.class, options, Scene.RECORDING);
        Chromium chromium = new Chromium()) {
      Map<String, Long> first = scene.next();
      chromium.open(scene);
      bound.read(Surfaces.watched(), scene, first);
      bound.read(Surfaces.rendered(), scene, first);
      chromium.readLive(bound, scene, first);
      Map<String, Long> second = scene.next();
      second.put("stopped", 1L);
      second.put(GAVE_UP, 1L);
      givenUp.read(Surfaces.watched(), scene, second);
      givenUp.read(Surfaces.rendered(), scene, second);
      chromium.readLive(givenUp, scene, second);
      scene.end();
      givenUp.read(Surfaces.ended(), scene, second);
      chromium.readFile(givenUp, scene, second);
    }
    Cells.assertRight(bound, givenUp);
    Document.check("bound", bound);
    Document.check("given up", givenUp);
  }
}
